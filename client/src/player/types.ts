// What the player is given and what it reports. The shapes follow the schema, without depending on any one operation.

export type StepKind = 'SPOTLIGHT' | 'MODAL';
export type Side = 'AUTO' | 'TOP' | 'RIGHT' | 'BOTTOM' | 'LEFT';
export type MissingTarget = 'SKIP_STEP' | 'SHOW_CENTERED' | 'END_RUN';

export interface Target {
  by: 'DATA_TOUR' | 'SELECTOR';
  value: string;
}

export interface PlayStep {
  key: string;
  kind: StepKind;
  title: string;
  body: string;
  target: Target | null;
  side: Side;
  nextLabel: string | null;
  backLabel: string | null;
  doneLabel: string | null;
  missingTarget: MissingTarget;
  /** How long to wait for the element, in milliseconds. */
  waitMs: number;
}

/** The five numbers and the colours of a theme; lengths in CSS pixels, the time in milliseconds. */
export interface PlayTheme {
  overlayOpacity: number;
  stagePadding: number;
  stageRadius: number;
  popoverOffset: number;
  animationMs: number;
  overlayColor: string;
  accentColor: string;
  popoverWidth: number;
}

export type EndReason =
  | 'FINISHED'
  | 'CLOSE_BUTTON'
  | 'ESCAPE'
  | 'OVERLAY_CLICK'
  | 'TARGET_MISSING'
  | 'PROGRAM';

/** What happened, in the order it happened. The first event of a run that painted anything is `RUN_STARTED`. */
export type PlayEvent =
  | { kind: 'RUN_STARTED' }
  | { kind: 'STEP_SEEN'; stepKey: string }
  | { kind: 'STEP_DONE'; stepKey: string }
  | { kind: 'TARGET_MISSING'; stepKey: string }
  | { kind: 'RUN_COMPLETED'; reason: EndReason }
  | { kind: 'RUN_DISMISSED'; reason: EndReason; stepKey: string }
  | { kind: 'RUN_FAILED'; reason: EndReason; stepKey: string };

/** What a person does in a popover. */
export type Command = 'next' | 'previous' | 'close' | 'escape' | 'overlay';

/** One step, ready to be drawn. `element` is null for a popover in the middle of the page. */
export interface StepView {
  index: number;
  step: PlayStep;
  element: Element | null;
}

/** Draws steps. Knows nothing of runs, waiting or events. */
export interface Renderer {
  show(view: StepView): Promise<void>;
  close(): Promise<void>;
}

/** Makes a renderer for one run; `onCommand` is called for what the person does. */
export type RendererFactory = (
  steps: readonly PlayStep[],
  theme: PlayTheme,
  onCommand: (command: Command) => void,
) => Renderer;
