import { t } from '../../shared/i18n/en/insights';

/** Whole days in UTC. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export const MAX_DAYS = 366;

const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const lastDays = (days: number, now: number): DayRange => ({
  from: dayOf(now - (days - 1) * DAY_MS),
  to: dayOf(now),
});

export const daysIn = ({ from, to }: DayRange): number => Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1;

export function rangeProblem(range: DayRange): string | null {
  const days = daysIn(range);
  if (!Number.isFinite(days)) return t.range.both;
  if (days < 1) return t.range.order;
  if (days > MAX_DAYS) return t.range.tooLong(MAX_DAYS);
  return null;
}
