import type { TourInsightsQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/insights';
import { formatList } from '../../shared/i18n/format';

export type Insights = TourInsightsQuery['tourInsights'];

export interface FunnelStep {
  readonly key: string;
  readonly title: string;
  readonly seen: number;
  readonly done: number;
  readonly missing: number;
  /** Attempts that showed no step, because the element of this one was missing. */
  readonly attempts: number;
  readonly active: number;
  /** 0 to 1 of the started runs. */
  readonly share: number;
  /** Ended at this step of those that saw it; null if none did. */
  readonly dropOff: number | null;
  /** Active milliseconds. */
  readonly medianMs: number | null;
}

export interface Funnel {
  readonly started: number;
  readonly completed: number;
  /** Included in `completed`. */
  readonly completedWithGaps: number;
  readonly steps: readonly FunnelStep[];
  /** Null if too few runs have ended, or if `isEven`. */
  readonly largestDropOff: FunnelStep | null;
  /** True if another step loses about as many visitors as the one that loses most. */
  readonly isEven: boolean;
  /**
   * The runs that completed a step but did not see the next one, where these are most; null if the tour is branched.
   */
  readonly gap: { readonly runs: number; readonly from: FunnelStep; readonly to: FunnelStep } | null;
  /** True if all runs are completed, active, or ended with their release. */
  readonly hasNoDropOff: boolean;
  /** Ended while no step was shown, except those in `gap`. */
  readonly leftBetween: number;
  /** The steps whose element was missing, by the number of runs. */
  readonly missing: readonly FunnelStep[];
  readonly active: number;
  /** True if a later step was seen more often than an earlier one, beyond missing elements. */
  readonly branched: boolean;
}

const MIN_ENDED_RUNS = 10;

type Counted = Pick<
  Insights,
  | 'started'
  | 'completed'
  | 'completedWithGaps'
  | 'dismissed'
  | 'stopped'
  | 'abandoned'
  | 'failed'
  | 'superseded'
  | 'active'
  | 'steps'
>;

export function funnelOf({
  started,
  completed,
  completedWithGaps,
  dismissed,
  stopped,
  abandoned,
  failed,
  superseded,
  active,
  steps,
}: Counted): Funnel {
  const left = dismissed + stopped + abandoned + failed;
  const ended = completed + left + superseded;
  const shown = steps.map((step): FunnelStep => ({
    key: step.stepKey,
    title: step.title,
    seen: step.seen,
    done: step.done,
    missing: step.missing,
    attempts: step.attempts,
    active: step.active,
    share: shareOf(step.seen, started),
    dropOff: step.dropOff,
    medianMs: step.medianMs,
  }));
  const [worst = null] = shown
    .filter(step => dropOffAt(step) > 0)
    .toSorted((a, b) => dropOffAt(b) - dropOffAt(a) || (b.dropOff ?? 0) - (a.dropOff ?? 0));
  const enough = ended >= MIN_ENDED_RUNS;
  const isEven = enough && worst !== null && shown.some(each => each !== worst && isAlike(each, worst));
  const branched = shown.some((step, index) => step.seen + step.missing < (shown[index + 1]?.seen ?? 0));
  const gaps = shown.flatMap((to, index) => {
    const from = shown[index - 1];
    const runs = from ? from.done - to.seen - to.missing : 0;
    return !branched && from && runs > 0 ? [{ runs, from, to }] : [];
  });
  const [gap = null] = gaps.toSorted((a, b) => b.runs - a.runs);
  const leftAtSteps = shown.reduce((sum, step) => sum + Math.max(0, dropOffAt(step)), 0);
  return {
    started,
    completed,
    completedWithGaps,
    steps: shown,
    largestDropOff: enough && !isEven ? worst : null,
    isEven,
    gap,
    hasNoDropOff: left === 0 && worst === null && gap === null,
    leftBetween: Math.max(0, left - leftAtSteps - (gap?.runs ?? 0)),
    missing: shown.filter(step => step.missing > 0).toSorted((a, b) => b.missing - a.missing),
    active,
    branched,
  };
}

/** True if both show the same percentage, and do not differ much in numbers. */
const isAlike = (step: FunnelStep, worst: FunnelStep): boolean =>
  Math.round((step.dropOff ?? 0) * 100) === Math.round((worst.dropOff ?? 0) * 100) &&
  dropOffAt(step) * 2 > dropOffAt(worst);

/** Returns the number of runs of which `dropOff` is the share. */
export const dropOffAt = ({ seen, done, active }: Pick<FunnelStep, 'seen' | 'done' | 'active'>): number =>
  seen - done - active;

/** Returns at most 1, because steps of older revisions may have been seen more often. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0);

/**
 * The parts of a step's bar, as shares of the started runs. Runs without the element of the step have continued, so that
 * both parts together get narrower from step to step.
 */
export function barOf(step: Pick<FunnelStep, 'seen' | 'missing'>, started: number): { seen: number; missing: number } {
  const seen = shareOf(step.seen, started);
  return { seen, missing: Math.min(1 - seen, shareOf(step.missing, started)) };
}

export function axisTop(largest: number): number {
  if (largest <= 4) return 4;
  const magnitude = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 4, 5, 10].find(each => each * magnitude >= largest) ?? 10;
  return step * magnitude;
}

export function formatFunnel(
  {
    completed,
    completedWithGaps,
    largestDropOff: largest,
    isEven,
    gap,
    hasNoDropOff,
    leftBetween,
    missing,
    branched,
    active,
  }: Funnel,
  { superseded, byRevision }: Pick<Insights, 'superseded' | 'byRevision'>,
): string {
  return [
    largest
      ? t.funnel.largestDropOff(largest.title)
      : isEven
        ? t.funnel.even
        : hasNoDropOff
          ? t.funnel.noDropOff
          : t.funnel.unclear,
    ...(active > 0 ? [t.funnel.active(active)] : []),
    ...(gap ? [t.funnel.gap(gap.runs, gap.from.title, gap.to.title)] : []),
    ...(leftBetween > 0 ? [t.funnel.leftBetween(leftBetween)] : []),
    ...(completedWithGaps > 0 ? [t.funnel.gaps(completedWithGaps, completed)] : []),
    ...(missing.length > 0 ? [formatMissing(missing)] : []),
    ...(branched ? [t.funnel.branched] : []),
    ...(superseded > 0 ? [t.funnel.superseded(superseded)] : []),
    ...(byRevision.filter(each => each.started > 0).length > 1 ? [t.funnel.revisions] : []),
  ].join(' ');
}

/** The number of steps that the description names. */
const MAX_NAMED = 4;

function formatMissing(missing: readonly FunnelStep[]): string {
  const [first] = missing;
  if (first && missing.length === 1) return t.funnel.mostMissing(first.missing, first.title);
  const named = missing.slice(0, MAX_NAMED).map(step => t.funnel.missingAt(step.missing, step.title));
  const others = missing.length - named.length;
  return t.funnel.missingAtSteps(formatList(others > 0 ? [...named, t.funnel.otherSteps(others)] : named));
}
