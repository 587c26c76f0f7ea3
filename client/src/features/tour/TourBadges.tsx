import type { ErrorCode, Severity, TourStatus } from '../../generated/operations';
import { t } from '../../shared/i18n/en/tour';
import { Badge, type Tone } from '../../shared/ui/Badge';
import { useWorkspace } from '../workspace/workspace-context';
import { awaitsInstallation } from './awaits-installation';
import { liveRevisions, supersededBy, type OpenRelease } from './live-numbers';
import { ReviewBadge } from './ReviewBadge';

const tones: Readonly<Record<TourStatus, Tone>> = {
  DRAFT: 'plain',
  LIVE: 'ok',
  PAUSED: 'signal',
  STOPPED: 'plain',
  ARCHIVED: 'plain',
};

interface Tour {
  readonly status: TourStatus;
  readonly hasUnreleasedChanges: boolean;
  readonly draft: Parameters<typeof ReviewBadge>[0]['draft'];
  readonly released: { readonly number: number } | null;
  readonly open: readonly (OpenRelease & { readonly site: { readonly id: string } })[];
}

export function TourBadges({ tour }: { tour: Tour }) {
  const { status, hasUnreleasedChanges, draft } = tour;
  const revisions = liveRevisions(tour);
  const waiting = awaitsInstallation(tour.open, useWorkspace()) && status === 'LIVE';
  const shown = waiting ? 'WAITING' : status;
  return (
    <>
      {status === 'DRAFT' && draft.state === 'IN_REVIEW' ? null : (
        <Badge tone={waiting ? 'brand' : tones[status]}>
          {(shown === 'LIVE' || shown === 'PAUSED' || shown === 'WAITING') && revisions.length > 0
            ? t.status.revisions[shown](revisions, supersededBy(revisions, tour.released))
            : t.status[shown]}
        </Badge>
      )}
      {status === 'LIVE' && hasUnreleasedChanges ? <Badge tone="signal">{t.status.changed}</Badge> : null}
      <ReviewBadge draft={draft} />
    </>
  );
}

/** Omits missing elements, which `BrokenBadge` reports. */
export function ProblemCount({ problems }: { problems: readonly { severity: Severity; code: ErrorCode }[] }) {
  const blockers = problems.filter(each => each.severity === 'BLOCKER').length;
  const warnings = problems.filter(each => each.severity === 'WARNING' && each.code !== 'ELEMENT_MISSING').length;
  if (blockers > 0) return <Badge tone="danger">{t.counts.blockers(blockers)}</Badge>;
  if (warnings > 0) return <Badge tone="signal">{t.counts.hints(warnings)}</Badge>;
  return null;
}

/** Marks a live tour of which a step rarely finds its element. */
export const BrokenBadge = () => (
  <Badge tone="danger">
    <span title={t.broken.hint}>{t.broken.tour}</span>
  </Badge>
);
