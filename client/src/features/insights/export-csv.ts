/** The tables of insights as files. Headings are those of the API, so that a sheet that was made once fits every language. */
import { toCsv } from '../../shared/lib/csv';
import type { Insights } from './funnel';
import type { ReleaseLift } from './lift';

/** Without the digits that only a computer's arithmetic made. The interval keeps more, since its ends can be close to zero. */
const rounded = (value: number | null | undefined, digits = 4): number | null =>
  value === null || value === undefined ? null : Number(value.toFixed(digits));
const FINE = 6;

export const stepsCsv = ({ steps }: Pick<Insights, 'steps'>): string =>
  toCsv(
    ['step', 'title', 'seen', 'done', 'under_way', 'drop_off', 'median_ms', 'missing'],
    steps.map(step => [
      step.stepKey,
      step.title,
      step.seen,
      step.done,
      step.underWay,
      rounded(step.dropOff),
      step.medianMs,
      step.missing,
    ]),
  );

export const daysCsv = ({ byDay }: Pick<Insights, 'byDay'>): string =>
  toCsv(
    ['day', 'started', 'completed', 'dismissed'],
    byDay.map(each => [each.day, each.started, each.completed, each.dismissed]),
  );

/** A row for each release; differences and their 95 % intervals are shares, 0.05 for five points. */
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
      'held',
      'held_reached',
      'difference',
      'low',
      'high',
      'relative',
    ],
    lifts.map(({ release, offered, held, lift }) => [
      release.site.name,
      release.revision.number,
      release.at,
      release.endedAt,
      release.goal,
      release.holdoutPercent,
      offered.people,
      offered.reached,
      held.people,
      held.reached,
      rounded(lift?.difference, FINE),
      rounded(lift?.low, FINE),
      rounded(lift?.high, FINE),
      rounded(lift?.relative),
    ]),
  );
