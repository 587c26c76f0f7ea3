// The step that follows. Like the server (server/waypost/domain/src/tour/reachability.rs).

import type { Condition } from './condition';
import { traitsOf } from './step-kinds';
import type { Choice, PlayStep } from './types';

type EvaluateCondition = (condition: Condition) => boolean;

/** Returns the number of steps if the tour is completed. */
export function nextStepIndex(steps: readonly PlayStep[], at: number, evaluate: EvaluateCondition): number {
  const step = steps[at];
  if (!step || traitsOf(step).together) return at + 1;
  const branch = step.branches.find(({ label, when }) => label === null && (when === null || evaluate(when)));
  return branch ? targetIndex(steps, branch.to, at) : at + 1;
}

/** Returns labeled branches, which are buttons of the step, whose conditions hold. */
export function availableChoices(steps: readonly PlayStep[], at: number, evaluate: EvaluateCondition): Choice[] {
  const step = steps[at];
  if (!step || !traitsOf(step).back) return [];
  return step.branches.flatMap(({ to, label, when }) =>
    label !== null && (when === null || evaluate(when)) ? [{ label, to: targetIndex(steps, to, at) }] : [],
  );
}

/** Only hotspots may follow. */
export const isLast = (steps: readonly PlayStep[], at: number, evaluate: EvaluateCondition): boolean =>
  steps.slice(nextStepIndex(steps, at, evaluate)).every(step => traitsOf(step).together);

/** Null if the popover is not the last one, or if it ends the list. */
export function whyLast(
  steps: readonly PlayStep[],
  at: number,
  evaluate: EvaluateCondition,
): 'hotspotsFollow' | 'branchEnds' | null {
  if (at >= steps.length - 1 || !isLast(steps, at, evaluate)) return null;
  return nextStepIndex(steps, at, evaluate) < steps.length ? 'hotspotsFollow' : 'branchEnds';
}

/** Skips a missing step, which cannot be released. */
function targetIndex(steps: readonly PlayStep[], key: string | null, at: number): number {
  if (key === null) return steps.length;
  const index = steps.findIndex(step => step.key === key);
  return index < 0 ? at + 1 : index;
}

export const hasPopoverBefore = (steps: readonly PlayStep[], at: number): boolean =>
  steps.slice(0, at).some(step => traitsOf(step).back);

/** The first popover of several steps. A visitor who leaves there has declined the tour. */
export const isInvitation = (steps: readonly PlayStep[], at: number): boolean =>
  at < steps.length - 1 && !hasPopoverBefore(steps, at);

export function hotspotsAround(steps: readonly PlayStep[], at: number): number[] {
  const isHotspot = (index: number) => Boolean(steps[index] && traitsOf(steps[index]).together);
  let first = at;
  while (isHotspot(first - 1)) first -= 1;
  const indices: number[] = [];
  for (let index = first; isHotspot(index); index += 1) indices.push(index);
  return indices;
}

/** Null if the tour has branches, because its length is unknown. */
export function countOf(steps: readonly PlayStep[], at: number): { at: number; of: number } | null {
  if (steps.some(step => step.branches.length > 0)) return null;
  const shown = steps.flatMap((step, index) => (traitsOf(step).back ? [index] : []));
  return { at: shown.indexOf(at) + 1, of: shown.length };
}
