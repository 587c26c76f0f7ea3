/** Dates, times and numbers as people read them, in the browser's language and time zone. */

const dayTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const wholePercent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const whole = new Intl.NumberFormat();
const list = new Intl.ListFormat(undefined, { type: 'conjunction' });

export const formatDateTime = (iso: string): string => dayTime.format(new Date(iso));

/** A calendar day in UTC, given as `2026-11-05`. */
export const formatDay = (day: string): string => dayOnly.format(new Date(`${day}T00:00:00Z`));
export const formatShortDay = (day: string): string => shortDay.format(new Date(`${day}T00:00:00Z`));

export const formatPercent = (share: number): string => wholePercent.format(share);
export const formatCount = (count: number): string => whole.format(count);
export const formatList = (items: readonly string[]): string => list.format(items);

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "3 minutes ago"; the full date after a week. */
export function formatAgo(iso: string, now: number): string {
  const passed = now - new Date(iso).getTime();
  if (passed > 7 * 86_400_000) return formatDateTime(iso);
  for (const [unit, size] of units) {
    if (Math.abs(passed) >= size) return relative.format(-Math.round(passed / size), unit);
  }
  return 'just now';
}

/** "1 min 20 s" from milliseconds. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "1 step", "2 steps". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** "14:05", for moments of today. */
export const clockTime = (date: Date): string => time.format(date);
