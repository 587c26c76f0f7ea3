import type { ReleaseRow_ReleaseFragment } from '../../generated/operations';
import { ReleaseAdjustInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/release';
import { formatDateTime, formatPercent } from '../../shared/i18n/format';
import { formatProblem } from '../../shared/lib/use-form';

export interface Terms {
  readonly rolloutPercent: number;
  readonly holdoutPercent: number;
  /** Empty for none. */
  readonly goal: string;
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

/** Keeps the exact value of an unchanged time, because the input field has only minute precision. */
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

/** The server rejects this too. */
export function isEmptySchedule({ startsAt, endsAt }: Terms, now: number): boolean {
  const end = fromLocalInput(endsAt);
  if (end === null) return false;
  const start = fromLocalInput(startsAt);
  return Date.parse(end) <= Math.max(now, start === null ? 0 : Date.parse(start));
}

type PlacedRow = Row & Pick<ReleaseRow_ReleaseFragment, 'at' | 'site'>;

/**
 * Keeps terms and sites of the newest open release, so that releasing a fix does not change who sees the tour. After all
 * were stopped, keeps those of the newest release without its schedule.
 */
export function previousTerms(open: readonly PlacedRow[], ended: readonly PlacedRow[] = []) {
  const newest = (rows: readonly PlacedRow[]) => rows.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0];
  const [current, last] = [newest(open), newest(ended)];
  if (!current)
    return last
      ? { before: { ...last, startsAt: null, endsAt: null }, siteIds: [last.site.id], isCurrent: false }
      : null;
  const terms = (row: Row) => JSON.stringify(termsOf(row));
  const sameTerms = open.filter(each => terms(each) === terms(current));
  return { before: current, siteIds: sameTerms.map(each => each.site.id), isCurrent: true };
}

/** Takes the holdout first and from the whole (schema/rollout.md), in percent. */
export function allocationOf({ rolloutPercent, holdoutPercent }: Pick<Terms, 'rolloutPercent' | 'holdoutPercent'>) {
  const seen = Math.min(rolloutPercent, 100 - holdoutPercent);
  return { holdout: holdoutPercent, seen, waiting: 100 - holdoutPercent - seen };
}

/** True if the holdout limits the rollout. The default of 100 % does not count. */
export const isRolloutCapped = ({
  rolloutPercent,
  holdoutPercent,
}: Pick<Terms, 'rolloutPercent' | 'holdoutPercent'>): boolean =>
  rolloutPercent < 100 && rolloutPercent + holdoutPercent > 100;

export function goalProblem(terms: Terms): string | null {
  const { goal } = termsInput(terms);
  const [violation] = checkInput({ fields: { goal: ReleaseAdjustInputRules.fields.goal } }, { goal });
  return violation ? formatProblem(violation) : null;
}

export function formatTerms({ rolloutPercent, holdoutPercent, goal, startsAt, endsAt }: Row): string[] {
  return [
    ...(rolloutPercent < 100 ? [t.terms.for(formatPercent(rolloutPercent / 100))] : []),
    ...(holdoutPercent > 0 ? [t.terms.holdoutShare(formatPercent(holdoutPercent / 100))] : []),
    ...(goal ? [t.terms.goalIs(goal)] : []),
    ...(startsAt ? [t.terms.from(formatDateTime(startsAt))] : []),
    ...(endsAt ? [t.terms.until(formatDateTime(endsAt))] : []),
  ];
}

/** Returns how a rollback from `open` to `target` changes the rollout, the holdout or the goal, or null. */
export function rollbackChange(open: Row, target: Row): string | null {
  const [before, after] = [open, target].map(row => formatTerms({ ...row, startsAt: null, endsAt: null }).join(' · '));
  return before === after ? null : t.actions.rollBackSettings(before || t.terms.everyone, after || t.terms.everyone);
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Uses local time; empty for null. */
export function toLocalInput(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** Returns null if the value is empty or incomplete. */
export function fromLocalInput(value: string): string | null {
  const at = new Date(value);
  return value === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** Prefers the only site that is not one of Waypost's own. */
export function initialSites(sites: readonly { readonly id: string; readonly own: boolean }[]): string[] {
  const customers = sites.filter(site => !site.own);
  const choices = customers.length > 0 ? customers : sites;
  return choices.length === 1 ? choices.map(site => site.id) : [];
}
