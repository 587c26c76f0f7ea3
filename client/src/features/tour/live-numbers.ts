import type { ReleaseState, TourStatus } from '../../generated/operations';

type Released = { readonly number: number } | null;

export type OpenRelease = { readonly state: ReleaseState; readonly revision: { readonly number: number } };

export function supersededBy(numbers: readonly number[], released: Released): number | null {
  return released && numbers.every(number => number < released.number) ? released.number : null;
}

/** Prefers live revisions over paused ones; empty if all match the draft. */
export function liveRevisions({
  status,
  hasUnreleasedChanges,
  released,
  open,
}: {
  readonly status: TourStatus;
  readonly hasUnreleasedChanges: boolean;
  readonly released: Released;
  readonly open: readonly OpenRelease[];
}): number[] {
  const numbers = open.filter(each => each.state === status).map(each => each.revision.number);
  const current = hasUnreleasedChanges ? null : released?.number;
  return numbers.every(number => number === current) ? [] : [...new Set(numbers)].toSorted((a, b) => a - b);
}
