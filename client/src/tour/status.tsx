import type { Severity, TourStatus } from '../generated/operations';
import { Badge, type Tone } from '../ui/Badge';
import { plural } from '../lib/format';

const words: Readonly<Record<TourStatus, { label: string; tone: Tone }>> = {
  DRAFT: { label: 'Draft', tone: 'plain' },
  LIVE: { label: 'Live', tone: 'ok' },
  PAUSED: { label: 'Paused', tone: 'signal' },
  ARCHIVED: { label: 'Archived', tone: 'plain' },
};

export function StatusBadge({ tour }: { tour: { status: TourStatus; hasUnreleasedChanges: boolean } }) {
  const { label, tone } = words[tour.status];
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>{label}</Badge>
      {tour.status === 'LIVE' && tour.hasUnreleasedChanges ? <Badge tone="signal">Unreleased changes</Badge> : null}
    </span>
  );
}

/** How many problems keep a tour from being released, and how many are advice. */
export function ProblemCount({ problems }: { problems: readonly { severity: Severity }[] }) {
  const blockers = problems.filter(each => each.severity === 'BLOCKER').length;
  const warnings = problems.length - blockers;
  if (blockers > 0) return <Badge tone="danger">{plural(blockers, 'problem')}</Badge>;
  if (warnings > 0) return <Badge tone="signal">{plural(warnings, 'hint')}</Badge>;
  return null;
}
