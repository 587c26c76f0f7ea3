import { t } from '../../shared/i18n/en/insights';
import { formatChange, formatPoints } from '../../shared/i18n/format';
import type { DayRange } from './day-range';
import { daysIn } from './day-range';

const DAY_MS = 86_400_000;

/** Returns the equally long range that ends the day before. */
export function rangeBefore(range: DayRange): DayRange {
  const shift = (day: string) =>
    new Date(Date.parse(`${day}T00:00:00Z`) - daysIn(range) * DAY_MS).toISOString().slice(0, 10);
  return { from: shift(range.from), to: shift(range.to) };
}

/** Compares with the range before. Null if there is nothing to compare. */
export function formatTrend(
  kind: 'count' | 'rate',
  { now, before, days }: { now: number | null; before: number | null; days: number },
): string | null {
  if (now === null || before === null) return null;
  if (kind === 'rate') return t.trend.points(formatPoints(now - before), days);
  return before === 0 ? t.trend.none(days) : t.trend.change(formatChange((now - before) / before), days);
}
