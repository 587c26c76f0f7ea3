/** The numbers behind the funnel: what share of those who started came how far, and where most were lost. */
import type { TourInsightsQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/insights';

export type Insights = TourInsightsQuery['tourInsights'];

export interface FunnelStep {
  readonly key: string;
  readonly title: string;
  readonly seen: number;
  readonly done: number;
  readonly missing: number;
  /** How many saw it and are still under way. */
  readonly underWay: number;
  /** Of those who started, 0 to 1. */
  readonly share: number;
  /** Of those who saw the step, how many it lost; null when nobody saw it. */
  readonly dropOff: number | null;
  /** Median active time at the step, in milliseconds. */
  readonly medianMs: number | null;
}

export interface Funnel {
  readonly started: number;
  readonly completed: number;
  readonly steps: readonly FunnelStep[];
  /** The step that loses the most people, of several such the one that loses most of its own; null when that cannot be told. */
  readonly leak: FunnelStep | null;
  /** Where most runs finished a step and did not come to the one after it; null where none did, or ways branch. */
  readonly gap: { readonly runs: number; readonly from: FunnelStep; readonly to: FunnelStep } | null;
  /** Whether everybody went on from every step that they saw, to the one after it. */
  readonly tight: boolean;
  /** Runs without an end as yet. */
  readonly underWay: number;
  /** Whether a later step was seen more often than one before it: then not everybody comes by every step. */
  readonly branched: boolean;
}

/** So many runs have to be over before one step is said to lose the most. */
const ENOUGH = 10;

type Counted = Pick<Insights, 'started' | 'completed' | 'dismissed' | 'abandoned' | 'failed' | 'superseded' | 'steps'>;

export function funnelOf({ started, completed, dismissed, abandoned, failed, superseded, steps }: Counted): Funnel {
  const over = completed + dismissed + abandoned + failed + superseded;
  const underWay = Math.max(0, started - over);
  const shown = steps.map((step): FunnelStep => ({
    key: step.stepKey,
    title: step.title,
    seen: step.seen,
    done: step.done,
    missing: step.missing,
    underWay: step.underWay,
    share: shareOf(step.seen, started),
    dropOff: step.dropOff,
    medianMs: step.medianMs,
  }));
  const [most = null] = shown
    .filter(step => lostAt(step) > 0)
    .toSorted((a, b) => lostAt(b) - lostAt(a) || (b.dropOff ?? 0) - (a.dropOff ?? 0));
  const leak = over >= ENOUGH ? most : null;
  const branched = shown.some((step, index) => step.seen < (shown[index + 1]?.seen ?? 0));
  const gaps = shown.flatMap((to, index) => {
    const from = shown[index - 1];
    return !branched && from && from.done > to.seen ? [{ runs: from.done - to.seen, from, to }] : [];
  });
  const [gap = null] = gaps.toSorted((a, b) => b.runs - a.runs);
  return { started, completed, steps: shown, leak, gap, tight: most === null && gap === null, underWay, branched };
}

/** How many saw a step and went no further. */
export const lostAt = ({ seen, done, underWay }: Pick<FunnelStep, 'seen' | 'done' | 'underWay'>): number =>
  seen - done - underWay;

/** 0 when nobody started; never more than 1, even where steps of older revisions were seen more often. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0);

/** The corners of one section of the funnel, from the share above to the share below, centred. */
export function section(above: number, below: number, top: number, height: number, width: number): string {
  const [a, b] = [(above * width) / 2, (below * width) / 2];
  const middle = width / 2;
  const bottom = top + height;
  const bend = top + height / 2;
  return [
    `M${middle - a} ${top}`,
    `L${middle + a} ${top}`,
    `C${middle + a} ${bend} ${middle + b} ${bend} ${middle + b} ${bottom}`,
    `L${middle - b} ${bottom}`,
    `C${middle - b} ${bend} ${middle - a} ${bend} ${middle - a} ${top}`,
    'Z',
  ].join(' ');
}

/** A round number at or above the largest count, for the axis. */
export function axisTop(largest: number): number {
  if (largest <= 4) return 4;
  const magnitude = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 4, 5, 10].find(each => each * magnitude >= largest) ?? 10;
  return step * magnitude;
}

export function formatFunnel(
  { leak, gap, tight, branched, underWay }: Funnel,
  { superseded, byRevision }: Pick<Insights, 'superseded' | 'byRevision'>,
): string {
  return [
    leak ? t.funnel.leak(leak.title) : tight ? t.funnel.noLeak : t.funnel.unclear,
    ...(underWay > 0 ? [t.funnel.underWay(underWay)] : []),
    ...(gap ? [t.funnel.gap(gap.runs, gap.from.title, gap.to.title)] : []),
    ...(branched ? [t.funnel.branched] : []),
    ...(superseded > 0 ? [t.funnel.superseded(superseded)] : []),
    ...(byRevision.filter(each => each.started > 0).length > 1 ? [t.funnel.revisions] : []),
  ].join(' ');
}
