import type { ReleaseImpactQuery } from '../../generated/operations';
import { t as fieldNames } from '../../shared/i18n/en/fields';
import { t } from '../../shared/i18n/en/release';
import { formatDateTime, formatList } from '../../shared/i18n/format';
import { differences, type Difference } from '../tour/difference';
import { contentOf, type DraftContent } from '../tour/draft';
import { formatStartField, stepName } from '../tour/format-field';
import { isScheduled } from '../tour/site-releases';

export type Impact = ReleaseImpactQuery['releaseImpact'][number];

export type PendingAction =
  | { readonly kind: 'release'; readonly startsAt: string | null; readonly endActiveRuns: boolean }
  | { readonly kind: 'pause' }
  | { readonly kind: 'end'; readonly endActiveRuns: boolean };

export interface FormattedImpact {
  /** Now, and after the action. */
  readonly liveRevision: string;
  /** One sentence for each kind. */
  readonly steps: readonly string[];
  readonly activeRuns: string;
  /** The visitors by state, without empty states. */
  readonly audience: readonly { readonly part: string; readonly before: number; readonly after: number }[];
}

export function formatImpact(impact: Impact, pendingAction: PendingAction, now: number): FormattedImpact {
  return {
    liveRevision: `${formatCurrent(impact, now)} ${formatPlanned(impact, pendingAction, now)}`,
    steps: formatStepChanges(impact),
    activeRuns: formatActiveRuns(impact, pendingAction),
    audience: (['active', 'reached', 'coolingDown', 'waiting', 'holdout', 'seen', 'nothing'] as const)
      .map(part => ({ part: t.impact.parts[part], before: impact.before[part], after: impact.after[part] }))
      .filter(each => each.before > 0 || each.after > 0),
  };
}

function formatCurrent({ live }: Impact, now: number): string {
  if (!live) return t.impact.notLive;
  const { number } = live.revision;
  if (live.state === 'PAUSED') return t.impact.pausedNow(number);
  if (live.startsAt && isScheduled(live, now)) return t.impact.scheduled(number, formatDateTime(live.startsAt));
  return t.impact.live(number);
}

const liveRevisionNumber = ({ live }: Impact, now: number): number | null =>
  live && live.state !== 'PAUSED' && !isScheduled(live, now) ? live.revision.number : null;

function formatPlanned(impact: Impact, pendingAction: PendingAction, now: number): string {
  switch (pendingAction.kind) {
    case 'pause':
      return t.impact.afterPause;
    case 'end':
      return t.impact.afterEnd;
    case 'release': {
      const number = impact.revision?.number ?? 0;
      if (pendingAction.startsAt && isScheduled(pendingAction, now))
        return t.impact.afterSchedule(number, formatDateTime(pendingAction.startsAt));
      return liveRevisionNumber(impact, now) === number ? t.impact.staysLive : t.impact.goesLive(number);
    }
    default:
      return pendingAction satisfies never;
  }
}

function formatActiveRuns({ active: { total, stay, move, finish } }: Impact, pendingAction: PendingAction): string {
  if (total === 0) return t.impact.noneActive;
  const visitors = t.impact.active(total);
  switch (pendingAction.kind) {
    case 'pause':
      return `${visitors} ${t.impact.activePaused}`;
    case 'end':
      return `${visitors} ${pendingAction.endActiveRuns ? t.impact.activeEnded : t.impact.activeLeft}`;
    case 'release': {
      if (pendingAction.endActiveRuns) return `${visitors} ${t.impact.activeAgain}`;
      const parts = [
        ...(stay > 0 ? [t.impact.stay(stay)] : []),
        ...(move > 0 ? [t.impact.move(move)] : []),
        ...(finish > 0 ? [t.impact.finish(finish)] : []),
      ];
      return `${visitors} ${t.impact.activeContinue(formatList(parts))}`;
    }
    default:
      return pendingAction satisfies never;
  }
}

function formatStepChanges({ live, revision }: Impact): string[] {
  if (!live || !revision || live.revision.id === revision.id) return [];
  const before = contentOf(live.revision);
  const after = contentOf(revision);
  const found = differences(before, after, before);
  if (found.length === 0) return [t.impact.sameContent];
  const stepKeys = (keyOf: (each: Difference) => string | null) => [
    ...new Set(found.flatMap(each => keyOf(each) ?? [])),
  ];
  const added = stepKeys(({ part, mine }) => (part.kind === 'step' && mine === 'added' ? part.key : null));
  const removed = stepKeys(({ part, mine }) => (part.kind === 'step' && mine === 'removed' ? part.key : null));
  const changed = stepKeys(({ part }) => (part.kind === 'field' ? part.key : null));
  return [
    ...(added.length > 0 ? [t.impact.added(added.length, stepNames(added, after))] : []),
    ...(removed.length > 0 ? [t.impact.removed(removed.length, stepNames(removed, before))] : []),
    ...(changed.length > 0 ? [t.impact.changed(changed.length, stepNames(changed, after))] : []),
    ...(found.some(({ part }) => part.kind === 'order') ? [t.impact.reordered] : []),
    ...formatStartChanges(found, before, after),
    ...(found.some(({ part }) => part.kind === 'theme') ? [t.impact.otherTheme] : []),
  ];
}

function formatStartChanges(found: readonly Difference[], before: DraftContent, after: DraftContent): string[] {
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

const stepNames = (keys: readonly string[], { steps }: DraftContent): string =>
  formatList(steps.filter(step => keys.includes(step.key)).map(stepName));
