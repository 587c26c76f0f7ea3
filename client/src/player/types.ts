// What the player is given and what it reports. The shapes follow the schema, without depending on any one operation.

import type { Condition } from './condition';

export type StepKind = 'SPOTLIGHT' | 'POINTER' | 'MODAL' | 'HINT' | 'WAIT';
export type Side = 'AUTO' | 'TOP' | 'RIGHT' | 'BOTTOM' | 'LEFT';
export type MissingTarget = 'SKIP_STEP' | 'SHOW_CENTERED' | 'END_RUN';

export interface Target {
  by: 'DATA_TOUR' | 'SELECTOR';
  value: string;
}

/** When a step is over; what `on` does not ask for counts for nothing. */
export interface PlayAdvance {
  on: 'BUTTON' | 'TARGET_CLICK' | 'PAGE' | 'ELEMENT' | 'EVENT' | 'DELAY';
  page: string | null;
  selector: string | null;
  event: string | null;
  delayMs: number;
}

/** With a label a button of the popover, without one a way that is taken by itself. `to` is null where the tour is finished. */
export interface PlayBranch {
  to: string | null;
  label: string | null;
  when: Condition | null;
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
  /** Where the step belongs; null for every page. */
  page: string | null;
  advance: PlayAdvance;
  branches: readonly PlayBranch[];
  blockPage: boolean;
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

export type EndReason = 'FINISHED' | 'CLOSE_BUTTON' | 'ESCAPE' | 'OVERLAY_CLICK' | 'TARGET_MISSING' | 'PROGRAM';

/** What happened, in the order it happened. The first event of a run that painted anything is `RUN_STARTED`. */
export type PlayEvent =
  | { kind: 'RUN_STARTED' }
  | { kind: 'STEP_SEEN'; stepKey: string }
  | { kind: 'STEP_DONE'; stepKey: string }
  | { kind: 'TARGET_MISSING'; stepKey: string }
  | { kind: 'RUN_COMPLETED'; reason: EndReason }
  | { kind: 'RUN_DISMISSED'; reason: EndReason; stepKey: string }
  | { kind: 'RUN_FAILED'; reason: EndReason; stepKey: string };

/** What a person does: in a popover, or with a hint, by its place among the steps. */
export type Command =
  | 'next'
  | 'previous'
  | 'close'
  | 'escape'
  | 'overlay'
  | { choose: number }
  | { hint: number; does: 'open' | 'finish' };

/** A button of a popover that leads to the step at a place. */
export interface Choice {
  label: string;
  to: number;
}

/** One step, ready to be drawn. `element` is null for a popover in the middle of the page. */
export interface StepView {
  index: number;
  step: PlayStep;
  element: Element | null;
  /** Whether there is a step to go back to. */
  back: boolean;
  /** Whether the popover has the button that goes on. */
  next: boolean;
  /** Whether the tour is finished with this step. */
  last: boolean;
  choices: readonly Choice[];
  /** Which of how many popovers it is; null where nobody can say. */
  count: { at: number; of: number } | null;
}

export interface HintView {
  index: number;
  step: PlayStep;
  element: Element;
  /** Whether its popover has the button that finishes it. */
  next: boolean;
}

/** Draws steps. Knows nothing of runs, waiting or events. */
export interface Renderer {
  show(view: StepView): Promise<void>;
  /** Takes the popover away, while the run goes on without one. */
  hide(): Promise<void>;
  /** Puts a beacon beside those that are there. */
  showHint(view: HintView): Promise<void>;
  hideHint(index: number): void;
  close(): Promise<void>;
}

/** Makes a renderer for one run; `onCommand` is called for what the person does. */
export type RendererFactory = (
  steps: readonly PlayStep[],
  theme: PlayTheme,
  onCommand: (command: Command) => void,
) => Renderer;
