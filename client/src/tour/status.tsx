import type { RevisionState, Severity, TourStatus } from '../generated/operations';
import { t } from '../texts/tour';
import { Badge, type Tone } from '../ui/Badge';

const tones: Readonly<Record<TourStatus, Tone>> = { DRAFT: 'plain', LIVE: 'ok', PAUSED: 'signal', ARCHIVED: 'plain' };

interface Tour {
  readonly status: TourStatus;
  readonly hasUnreleasedChanges: boolean;
  readonly draft: { readonly state: RevisionState };
}

/** A draft that is in review has a badge of its own, which says more. `live` names the revisions that play, where they are known. */
export function StatusBadge({ tour, live }: { tour: Tour; live?: readonly number[] }) {
  if (tour.status === 'DRAFT' && tour.draft.state === 'IN_REVIEW') return null;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone={tones[tour.status]}>{tour.status === 'LIVE' && live?.length ? t.status.live(live) : t.status[tour.status]}</Badge>
      {tour.status === 'LIVE' && tour.hasUnreleasedChanges ? <Badge tone="signal">{t.status.changed}</Badge> : null}
    </span>
  );
}

/** How many problems keep a tour from being released, and how many are advice. */
export function ProblemCount({ problems }: { problems: readonly { severity: Severity }[] }) {
  const blockers = problems.filter(each => each.severity === 'BLOCKER').length;
  const warnings = problems.length - blockers;
  if (blockers > 0) return <Badge tone="danger">{t.counts.blockers(blockers)}</Badge>;
  if (warnings > 0) return <Badge tone="signal">{t.counts.hints(warnings)}</Badge>;
  return null;
}
