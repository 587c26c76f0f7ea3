import type { RevisionState } from '../generated/operations';
import { t } from '../texts/tour';
import { Badge } from '../ui/Badge';

export function stateName(state: RevisionState): string {
  switch (state) {
    case 'DRAFT':
      return t.revision.draft;
    case 'IN_REVIEW':
      return t.revision.inReview;
    case 'FROZEN':
      return t.revision.frozen;
    default:
      return state satisfies never;
  }
}

/** Says that the open revision of a tour waits for a review; nothing otherwise. */
export function ReviewBadge({ state }: { state: RevisionState }) {
  return state === 'IN_REVIEW' ? <Badge tone="brand">{stateName(state)}</Badge> : null;
}
