import { t } from './en/common';
import { perLocale } from './locale';

const dayTime = perLocale(tag => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }));
const dayOnly = perLocale(tag => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }));
const shortDay = perLocale(tag => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' }));
const time = perLocale(tag => new Intl.DateTimeFormat(tag, { timeStyle: 'short' }));
const timeWithSeconds = perLocale(tag => new Intl.DateTimeFormat(tag, { timeStyle: 'medium' }));
const relative = perLocale(tag => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const wholePercent = perLocale(tag => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 }));
const finePercent = perLocale(tag => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 }));
const signed = perLocale(tag => new Intl.NumberFormat(tag, { signDisplay: 'exceptZero', maximumFractionDigits: 1 }));
const signedPercent = perLocale(
  tag => new Intl.NumberFormat(tag, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }),
);
const whole = perLocale(tag => new Intl.NumberFormat(tag));
const list = perLocale(tag => new Intl.ListFormat(tag, { type: 'conjunction' }));
const pluralRules = perLocale(tag => new Intl.PluralRules(tag));

export const formatDateTime = (iso: string): string => dayTime().format(new Date(iso));

/** A calendar day in UTC, given as `2026-11-05`. */
export const formatDay = (day: string): string => dayOnly().format(new Date(`${day}T00:00:00Z`));
export const formatShortDay = (day: string): string => shortDay().format(new Date(`${day}T00:00:00Z`));

/** "14:05", for moments of today. */
export const clockTime = (date: Date): string => time().format(date);

/** "14:05:09", where minutes are too coarse: sessions are short. */
export const clockTimeWithSeconds = (date: Date): string => timeWithSeconds().format(date);

/** "14:05:09" today, otherwise "4 Dec 2026, 14:05". */
export const clockTimeOrDate = (date: Date, now = new Date()): string =>
  date.toDateString() === now.toDateString() ? clockTimeWithSeconds(date) : formatDateTime(date.toISOString());

export const formatPercent = (share: number): string => wholePercent().format(share);
/** Formats a rate that may be small with one decimal. */
export const formatRate = (share: number): string => finePercent().format(share);
/** A difference of two rates in percentage points, without their name: "+1.5". */
export const formatPoints = (difference: number): string => signed().format(difference * 100);
/** A change: "+12%". */
export const formatChange = (share: number): string => signedPercent().format(share);
export const formatCount = (count: number): string => whole().format(count);
export const formatList = (items: readonly string[]): string => list().format(items);

const collator = perLocale(tag => new Intl.Collator(tag));
const languageNames = perLocale(tag => new Intl.DisplayNames(tag, { type: 'language' }));
export function formatLanguage(tag: string): string {
  try {
    const name = languageNames().of(tag);
    return name && name !== tag ? `${name} (${tag})` : tag;
  } catch {
    return tag;
  }
}

/** Sorts languages by their names in the current language. */
export const sortedLanguages = (tags: readonly string[]): string[] =>
  tags.toSorted((one, other) => collator().compare(formatLanguage(one), formatLanguage(other)));

/** Ends a sentence with a period, unless it ends with a quotation that contains its own final punctuation. */
export const ended = (sentence: string): string => (/[.!?…]\s*[”“]+$/.test(sentence) ? sentence : `${sentence}.`);

/** `#` is the number: `counted(2, { one: '# step', other: '# steps' })`. */
export function counted(
  count: number,
  forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string },
): string {
  return (forms[pluralRules().select(count)] ?? forms.other).replaceAll('#', formatCount(count));
}

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
    if (Math.abs(passed) >= size) return relative().format(-Math.round(passed / size), unit);
  }
  return t.justNow;
}

/** "1 min 20 s" from milliseconds. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a configured duration with millisecond precision: "2.5 s". */
export const formatSeconds = (ms: number): string =>
  ms % 1000 === 0 ? formatDuration(ms) : `${formatCount(ms / 1000)} s`;
