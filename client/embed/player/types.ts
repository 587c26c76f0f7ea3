// Follows the schema but does not depend on a particular operation.

import type { Condition } from './condition';

export type StepKind = 'SPOTLIGHT' | 'TOOLTIP' | 'MODAL' | 'HOTSPOT' | 'WAIT';
export type Side = 'AUTO' | 'TOP' | 'RIGHT' | 'BOTTOM' | 'LEFT';
export type MissingTarget = 'SKIP_STEP' | 'SHOW_CENTERED' | 'END_RUN';

export interface Target {
  by: 'DATA_TOUR' | 'SELECTOR';
  value: string;
}

/** Fields of other kinds are ignored. */
export interface PlayAdvance {
  on: 'BUTTON' | 'TARGET_CLICK' | 'PAGE' | 'ELEMENT' | 'EVENT' | 'DELAY';
  page: string | null;
  selector: string | null;
  event: string | null;
  delayMs: number;
}

/**
 * A branch with a label is a button of the popover; one without is taken automatically. `to` is null if it completes
 * the tour.
 */
export interface PlayBranch {
  to: string | null;
  label: string | null;
  when: Condition | null;
}

export type TextField = 'TITLE' | 'BODY' | 'NEXT_LABEL' | 'PREVIOUS_LABEL' | 'DONE_LABEL' | 'BRANCH_LABEL';

export interface PlayTranslation {
  locale: string;
  field: TextField;
  /** Identifies the branch of a label. Empty in bundles for the other fields. */
  source: string;
  text: string;
}

export interface TourLanguage {
  locale: string;
  direction: 'ltr' | 'rtl';
}

export interface PlayStep {
  key: string;
  kind: StepKind;
  title: string;
  body: string;
  target: Target | null;
  side: Side;
  nextLabel: string | null;
  previousLabel: string | null;
  doneLabel: string | null;
  missingTarget: MissingTarget;
  /** The time in milliseconds. */
  waitMs: number;
  /** Null for every page. */
  page: string | null;
  advance: PlayAdvance;
  branches: readonly PlayBranch[];
  blockPage: boolean;
  closeOnOutsideClick: boolean;
  translations: readonly PlayTranslation[];
}

/** A theme. Lengths are in CSS pixels. */
export interface PlayTheme {
  overlayOpacity: number;
  stagePadding: number;
  stageRadius: number;
  popoverOffset: number;
  animationMs: number;
  overlayColor: string;
  /** Null takes the color from the page. */
  accentColor: string | null;
  popoverWidth: number;
  /** Absent or null takes the corners and the font from the page. */
  popoverRadius?: number | null;
  buttonRadius?: number | null;
  fontFamily?: string | null;
  /** False to hide the number of the step. */
  showStepCount?: boolean;
}

export type EndReason = 'FINISHED' | 'CLOSE_BUTTON' | 'ESCAPE' | 'OVERLAY_CLICK' | 'TARGET_MISSING' | 'PROGRAM';

/** The first one is `RUN_STARTED`, sent when anything is drawn. */
export type PlayEvent =
  | { kind: 'RUN_STARTED' }
  | { kind: 'STEP_SEEN'; stepKey: string }
  | { kind: 'STEP_DONE'; stepKey: string }
  | { kind: 'TARGET_MISSING'; stepKey: string }
  | { kind: 'RUN_COMPLETED'; reason: EndReason }
  | { kind: 'RUN_DISMISSED'; reason: EndReason; stepKey: string }
  | { kind: 'RUN_FAILED'; reason: EndReason; stepKey: string };

export type Command =
  | 'next'
  | 'previous'
  | 'close'
  | 'escape'
  | 'overlay'
  | { choose: number }
  | { hotspot: number; does: 'open' | 'finish' };

export interface Choice {
  label: string;
  to: number;
}

/** Null for the center of the page. */
export interface StepView {
  index: number;
  step: PlayStep;
  element: Element | null;
  back: boolean;
  next: boolean;
  last: boolean;
  choices: readonly Choice[];
  /** Null if the tour has branches. */
  count: { at: number; of: number } | null;
}

export interface HotspotView {
  index: number;
  step: PlayStep;
  element: Element;
  /** True if the popover has a button that completes the step. */
  next: boolean;
}

/** Does not know runs, waiting or events. */
export interface Renderer {
  show(view: StepView): Promise<void>;
  /**
   * Shows, until the next call, that the tour waits for an element. The page is usable meanwhile. A popover with buttons
   * to go on stays, and otherwise a small one with a button to end the tour replaces it.
   */
  showProgress(): void;
  /** The page has replaced the element of the step or hotspot. */
  replaceElement(index: number, element: Element): void;
  /** The run continues. */
  hide(): Promise<void>;
  showHotspot(view: HotspotView): Promise<void>;
  hideHotspot(index: number): void;
  close(): Promise<void>;
}

/** Creates a renderer. If there is no language, texts have the direction of the page. */
export type RendererFactory = (
  steps: readonly PlayStep[],
  theme: PlayTheme,
  onCommand: (command: Command) => void,
  language?: TourLanguage | null,
) => Renderer;
