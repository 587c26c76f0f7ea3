import { t } from '../../shared/i18n/en/insights';

/** Ranges of whole days in UTC, as the insights are asked for. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export const MAX_DAYS = 366;

const DAY = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The last days up to today, today included. */
export const lastDays = (days: number, now: number): DayRange => ({
  from: dayOf(now - (days - 1) * DAY),
  to: dayOf(now),
});

export const daysIn = ({ from, to }: DayRange): number => Math.round((timeOf(to) - timeOf(from)) / DAY) + 1;

/** What is wrong with a range that somebody typed; null when it can be asked for. */
export function rangeProblem(range: DayRange): string | null {
  const days = daysIn(range);
  if (!Number.isFinite(days)) return t.range.both;
  if (days < 1) return t.range.order;
  if (days > MAX_DAYS) return t.range.tooLong(MAX_DAYS);
  return null;
}
