/** Headings are those of the API, not translated. */
import { toCsv } from '../../shared/lib/csv';
import type { Insights } from './funnel';
import type { ReleaseLift } from './lift';

/**
 * Rounds a number to remove floating-point noise. Intervals need more digits, because their ends can be close to zero.
 */
const round = (value: number | null | undefined, digits = 4): number | null =>
  value === null || value === undefined ? null : Number(value.toFixed(digits));
const INTERVAL_DIGITS = 6;

export const stepsCsv = ({ steps }: Pick<Insights, 'steps'>): string =>
  toCsv(
    ['step', 'title', 'seen', 'done', 'active', 'drop_off', 'median_ms', 'missing', 'attempts'],
    steps.map(step => [
      step.stepKey,
      step.title,
      step.seen,
      step.done,
      step.active,
      round(step.dropOff),
      step.medianMs,
      step.missing,
      step.attempts,
    ]),
  );

export const daysCsv = ({ byDay }: Pick<Insights, 'byDay'>): string =>
  toCsv(
    ['day', 'started', 'completed', 'completed_with_gaps', 'dismissed', 'stopped', 'attempts'],
    byDay.map(each => [
      each.day,
      each.started,
      each.completed,
      each.completedWithGaps,
      each.dismissed,
      each.stopped,
      each.attempts,
    ]),
  );

/** Differences and 95 % intervals are fractions: 0.05 is five percentage points. */
export const liftCsv = (lifts: readonly ReleaseLift[]): string =>
  toCsv(
    [
      'site',
      'revision',
      'released_at',
      'ended_at',
      'goal',
      'holdout_percent',
      'offered',
      'offered_reached',
      'holdout',
      'holdout_reached',
      'difference',
      'low',
      'high',
      'relative',
    ],
    lifts.map(({ release, offered, holdout, lift }) => [
      release.site.name,
      release.revision.number,
      release.at,
      release.endedAt,
      release.goal,
      release.holdoutPercent,
      offered.visitors,
      offered.reached,
      holdout.visitors,
      holdout.reached,
      round(lift?.difference, INTERVAL_DIGITS),
      round(lift?.low, INTERVAL_DIGITS),
      round(lift?.high, INTERVAL_DIGITS),
      round(lift?.relative),
    ]),
  );
