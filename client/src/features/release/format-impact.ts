/** What a change means for the people of a site, in words and numbers. */
import type { ReleaseImpactQuery } from '../../generated/operations';
import { t as fieldNames } from '../../shared/i18n/en/fields';
import { t } from '../../shared/i18n/en/release';
import { formatDateTime, formatList } from '../../shared/i18n/format';
import { differences, type Difference } from '../tour/difference';
import { contentOf, type DraftContent } from '../tour/draft';
import { formatStartField, stepName } from '../tour/format-field';
import { isScheduled } from '../tour/site-releases';

export type Impact = ReleaseImpactQuery['releaseImpact'][number];

/** What is about to be done. */
export type PendingAction =
  | { readonly kind: 'play'; readonly startsAt: string | null; readonly endActiveRuns: boolean }
  | { readonly kind: 'pause' }
  | { readonly kind: 'end'; readonly endActiveRuns: boolean };

export interface FormattedImpact {
  /** What plays there now, and what will. */
  readonly plays: string;
  /** How the steps differ, a sentence for each kind of difference. */
  readonly steps: readonly string[];
  readonly inside: string;
  /** Parts of the people on the site, before and after; without parts that nobody is in. */
  readonly audience: readonly { readonly part: string; readonly before: number; readonly after: number }[];
}

export function formatImpact(impact: Impact, pendingAction: PendingAction, now: number): FormattedImpact {
  return {
    plays: `${playsNow(impact, now)} ${playsThen(impact, pendingAction, now)}`,
    steps: stepWords(impact),
    inside: insideWords(impact, pendingAction),
    audience: (['inside', 'reached', 'quiet', 'waiting', 'held', 'seen', 'nothing'] as const)
      .map(part => ({ part: t.impact.parts[part], before: impact.before[part], after: impact.after[part] }))
      .filter(each => each.before > 0 || each.after > 0),
  };
}

function playsNow({ live }: Impact, now: number): string {
  if (!live) return t.impact.nothingNow;
  const { number } = live.revision;
  if (live.state === 'PAUSED') return t.impact.pausedNow(number);
  if (live.startsAt && isScheduled(live, now)) return t.impact.waitsNow(number, formatDateTime(live.startsAt));
  return t.impact.playsNow(number);
}

/** The number of the revision that plays there at the moment. */
const playing = ({ live }: Impact, now: number): number | null =>
  live && live.state !== 'PAUSED' && !isScheduled(live, now) ? live.revision.number : null;

function playsThen(impact: Impact, pendingAction: PendingAction, now: number): string {
  switch (pendingAction.kind) {
    case 'pause':
      return t.impact.pausedThen;
    case 'end':
      return t.impact.endedThen;
    case 'play': {
      const number = impact.revision?.number ?? 0;
      if (pendingAction.startsAt && isScheduled(pendingAction, now))
        return t.impact.scheduledThen(number, formatDateTime(pendingAction.startsAt));
      return playing(impact, now) === number ? t.impact.playsOn : t.impact.playsThen(number);
    }
    default:
      return pendingAction satisfies never;
  }
}

function insideWords({ inside: { total, stay, move, finish } }: Impact, pendingAction: PendingAction): string {
  if (total === 0) return t.impact.nobodyInside;
  const people = t.impact.inside(total);
  switch (pendingAction.kind) {
    case 'pause':
      return `${people} ${t.impact.insidePaused}`;
    case 'end':
      return `${people} ${pendingAction.endActiveRuns ? t.impact.insideEnded : t.impact.insideLeft}`;
    case 'play': {
      if (pendingAction.endActiveRuns) return `${people} ${t.impact.insideAgain}`;
      const ways = [
        ...(stay > 0 ? [t.impact.stay(stay)] : []),
        ...(move > 0 ? [t.impact.move(move)] : []),
        ...(finish > 0 ? [t.impact.finish(finish)] : []),
      ];
      return `${people} ${t.impact.goOn(formatList(ways))}`;
    }
    default:
      return pendingAction satisfies never;
  }
}

function stepWords({ live, revision }: Impact): string[] {
  if (!live || !revision || live.revision.id === revision.id) return [];
  const before = contentOf(live.revision);
  const after = contentOf(revision);
  const found = differences(before, after, before);
  if (found.length === 0) return [t.impact.sameContent];
  const stepsWith = (fits: (each: Difference) => string | null) => [
    ...new Set(found.flatMap(each => fits(each) ?? [])),
  ];
  const added = stepsWith(({ part, mine }) => (part.kind === 'step' && mine === 'added' ? part.key : null));
  const removed = stepsWith(({ part, mine }) => (part.kind === 'step' && mine === 'removed' ? part.key : null));
  const changed = stepsWith(({ part }) => (part.kind === 'field' ? part.key : null));
  return [
    ...(added.length > 0 ? [t.impact.added(added.length, names(added, after))] : []),
    ...(removed.length > 0 ? [t.impact.removed(removed.length, names(removed, before))] : []),
    ...(changed.length > 0 ? [t.impact.changed(changed.length, names(changed, after))] : []),
    ...(found.some(({ part }) => part.kind === 'order') ? [t.impact.reordered] : []),
    ...startWords(found, before, after),
    ...(found.some(({ part }) => part.kind === 'theme') ? [t.impact.otherTheme] : []),
  ];
}

/** What is different about when it starts: each field with its value before and after. */
function startWords(found: readonly Difference[], before: DraftContent, after: DraftContent): string[] {
  const fields = found.flatMap(({ part }) => (part.kind === 'start' ? [part.field] : []));
  if (fields.length === 0) return [];
  const changes = fields.map(field =>
    t.impact.startField(
      fieldNames.start[field],
      formatStartField(before.start, field),
      formatStartField(after.start, field),
    ),
  );
  return [t.impact.otherStart(changes.join('; '))];
}

const names = (keys: readonly string[], { steps }: DraftContent): string =>
  formatList(steps.filter(step => keys.includes(step.key)).map(stepName));
