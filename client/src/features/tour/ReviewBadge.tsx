import type { RevisionState } from '../../generated/operations';
import { t } from '../../shared/i18n/en/tour';
import { Badge } from '../../shared/ui/Badge';
import { reviewRequestingChanges } from './last-review';

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

type Draft = Parameters<typeof reviewRequestingChanges>[0];

export function ReviewBadge({ draft }: { draft: Draft }) {
  if (draft.state === 'IN_REVIEW') return <Badge tone="brand">{stateName(draft.state)}</Badge>;
  return reviewRequestingChanges(draft) ? <Badge tone="signal">{t.revision.returned}</Badge> : null;
}
