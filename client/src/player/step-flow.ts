// Which way a tour goes on from a step. The server finds the steps that no way leads to by the same rules
// (server/waypost-domain/src/tour/reach.rs).

import type { Condition } from './condition';
import type { Choice, PlayStep } from './types';

type Holds = (condition: Condition) => boolean;

/** The place of the step that follows a finished one; past the last one when the tour is finished. */
export function following(steps: readonly PlayStep[], at: number, holds: Holds): number {
  const step = steps[at];
  if (!step || step.kind === 'HINT') return at + 1;
  const branch = step.branches.find(({ label, when }) => label === null && (when === null || holds(when)));
  return branch ? placeOf(steps, branch.to, at) : at + 1;
}

/** The branches that are buttons of a step now. */
export function choicesOf(steps: readonly PlayStep[], at: number, holds: Holds): Choice[] {
  const step = steps[at];
  if (!step || step.kind === 'HINT' || step.kind === 'WAIT') return [];
  return step.branches.flatMap(({ to, label, when }) =>
    label !== null && (when === null || holds(when)) ? [{ label, to: placeOf(steps, to, at) }] : [],
  );
}

/** Whether the last popover of the tour is the one at `at`: hints may stand on the page after it. */
export const isLast = (steps: readonly PlayStep[], at: number, holds: Holds): boolean =>
  steps.slice(following(steps, at, holds)).every(({ kind }) => kind === 'HINT');

/** Why a popover is the last one although steps stand below it in the list; null where it is not, or none do. */
export function whyLast(steps: readonly PlayStep[], at: number, holds: Holds): 'hintsFollow' | 'branchEnds' | null {
  if (at >= steps.length - 1 || !isLast(steps, at, holds)) return null;
  return following(steps, at, holds) < steps.length ? 'hintsFollow' : 'branchEnds';
}

/** A step that is not there, which nobody can release, is passed over. */
function placeOf(steps: readonly PlayStep[], key: string | null, at: number): number {
  if (key === null) return steps.length;
  const place = steps.findIndex(step => step.key === key);
  return place < 0 ? at + 1 : place;
}

/** Whether the list has a popover before a step, to go back to. */
export const hasPopoverBefore = (steps: readonly PlayStep[], at: number): boolean =>
  steps.slice(0, at).some(({ kind }) => kind !== 'WAIT' && kind !== 'HINT');

/** Whether a step is the first that people see of a tour that has more: who leaves there has taken nothing of it. */
export const isInvitation = (steps: readonly PlayStep[], at: number): boolean =>
  at < steps.length - 1 && !hasPopoverBefore(steps, at);

/** The places of the hints that stand on the page together with the one at `at`. */
export function hintsAround(steps: readonly PlayStep[], at: number): number[] {
  let first = at;
  while (steps[first - 1]?.kind === 'HINT') first -= 1;
  const places: number[] = [];
  for (let place = first; steps[place]?.kind === 'HINT'; place += 1) places.push(place);
  return places;
}

/** Which of how many popovers a step is. Null where nobody can say: the way may fork. */
export function countOf(steps: readonly PlayStep[], at: number): { at: number; of: number } | null {
  if (steps.some(step => step.branches.length > 0)) return null;
  const shown = steps.flatMap(({ kind }, place) => (kind === 'WAIT' || kind === 'HINT' ? [] : [place]));
  return { at: shown.indexOf(at) + 1, of: shown.length };
}
