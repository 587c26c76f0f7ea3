import type { StepKind } from './types';

export interface StepKindTraits {
  /** Shows the visitor a title, a text and buttons. */
  readonly popover?: true;
  /** Belongs to an element of the page. */
  readonly target?: true;
  /** Dims the page around the element. */
  readonly dims?: true;
  /** Counts as a step for the visitor, so Previous leads to it. */
  readonly back?: true;
  /** Draws nothing until its advance rule is met. */
  readonly waits?: true;
  /** Is shown together with the adjacent steps of its kind, which can be completed in any order. */
  readonly together?: true;
}

/** The only place that distinguishes the kinds of steps by their names. */
export const STEP_KINDS: Readonly<Record<StepKind, StepKindTraits>> = {
  SPOTLIGHT: { popover: true, target: true, dims: true, back: true },
  TOOLTIP: { popover: true, target: true, back: true },
  MODAL: { popover: true, dims: true, back: true },
  HOTSPOT: { popover: true, target: true, together: true },
  WAIT: { waits: true },
};

export const traitsOf = ({ kind }: { readonly kind: StepKind }): StepKindTraits => STEP_KINDS[kind];
