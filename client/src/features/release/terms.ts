/** For whom, what for and when a release plays, as its forms hold it. */
import type { ReleaseRow_ReleaseFragment } from '../../generated/operations';
import { ReleaseAdjustInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/release';
import { formatDateTime, formatPercent } from '../../shared/i18n/format';
import { sentence } from '../../shared/lib/use-form';

export interface Terms {
  readonly rolloutPercent: number;
  readonly holdoutPercent: number;
  /** The event that people are to be led to; empty for none. */
  readonly goal: string;
  /** Texts of the browser's fields; empty for none. */
  readonly startsAt: string;
  readonly endsAt: string;
}

type Row = Pick<ReleaseRow_ReleaseFragment, 'rolloutPercent' | 'holdoutPercent' | 'goal' | 'startsAt' | 'endsAt'>;

export const defaultTerms: Terms = { rolloutPercent: 100, holdoutPercent: 0, goal: '', startsAt: '', endsAt: '' };

export const termsOf = (release: Row): Terms => ({
  rolloutPercent: release.rolloutPercent,
  holdoutPercent: release.holdoutPercent,
  goal: release.goal ?? '',
  startsAt: toLocalInput(release.startsAt),
  endsAt: toLocalInput(release.endsAt),
});

/**
 * What a mutation takes. A field that still shows what the release says stays to the millisecond: the browser's field
 * knows only minutes.
 */
export function termsInput(terms: Terms, before?: Row) {
  const time = (value: string, old: string | null | undefined) =>
    old && value === toLocalInput(old) ? old : fromLocalInput(value);
  return {
    rolloutPercent: terms.rolloutPercent,
    holdoutPercent: terms.holdoutPercent,
    goal: terms.goal.trim() || null,
    startsAt: time(terms.startsAt, before?.startsAt),
    endsAt: time(terms.endsAt, before?.endsAt),
  };
}

/** Whether the end comes before the begin, which the server refuses too. */
export function isEmptySchedule({ startsAt, endsAt }: Terms, now: number): boolean {
  const end = fromLocalInput(endsAt);
  if (end === null) return false;
  const start = fromLocalInput(startsAt);
  return Date.parse(end) <= Math.max(now, start === null ? 0 : Date.parse(start));
}

/**
 * What a new release begins with: the sites where the tour has a release already, under the terms of that one, so that
 * to repair a step lets nobody else in. Sites whose terms differ from those of the newest release are left to the person.
 */
export function previousTerms(open: readonly (Row & Pick<ReleaseRow_ReleaseFragment, 'at' | 'site'>)[]) {
  const [newest] = open.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  if (!newest) return null;
  const terms = (row: Row) => JSON.stringify(termsOf(row));
  const sameTerms = open.filter(each => terms(each) === terms(newest));
  return { before: newest, siteIds: sameTerms.map(each => each.site.id) };
}

/** Of a hundred people who match: schema/rollout.md says that the holdout is taken first, and of the whole. */
export function allocationOf({ rolloutPercent, holdoutPercent }: Pick<Terms, 'rolloutPercent' | 'holdoutPercent'>) {
  const seen = Math.min(rolloutPercent, 100 - holdoutPercent);
  return { held: holdoutPercent, seen, waiting: 100 - holdoutPercent - seen };
}

/** Whether more is rolled out than the holdout leaves; everybody is no number that somebody has chosen. */
export const isRolloutCapped = ({
  rolloutPercent,
  holdoutPercent,
}: Pick<Terms, 'rolloutPercent' | 'holdoutPercent'>): boolean =>
  rolloutPercent < 100 && rolloutPercent + holdoutPercent > 100;

/** What is wrong with the name of the goal. */
export function goalProblem(terms: Terms): string | null {
  const { goal } = termsInput(terms);
  const [violation] = checkInput({ fields: { goal: ReleaseAdjustInputRules.fields.goal } }, { goal });
  return violation ? sentence(violation.problem) : null;
}

/** The terms in words, without what goes without saying. */
export function formatTerms({ rolloutPercent, holdoutPercent, goal, startsAt, endsAt }: Row): string[] {
  return [
    ...(rolloutPercent < 100 ? [t.terms.for(formatPercent(rolloutPercent / 100))] : []),
    ...(holdoutPercent > 0 ? [t.terms.heldOut(formatPercent(holdoutPercent / 100))] : []),
    ...(goal ? [t.terms.leadsTo(goal)] : []),
    ...(startsAt ? [t.terms.from(formatDateTime(startsAt))] : []),
    ...(endsAt ? [t.terms.until(formatDateTime(endsAt))] : []),
  ];
}

/** Instants as the browser's own field for a date and a time shows them: in the person's time zone, to the minute. */
const twoDigits = (number: number) => String(number).padStart(2, '0');

/** `2026-11-05T10:30` for an instant; empty for none. */
export function toLocalInput(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** The instant that a field shows; null while it shows none. */
export function fromLocalInput(value: string): string | null {
  const at = new Date(value);
  return value === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
