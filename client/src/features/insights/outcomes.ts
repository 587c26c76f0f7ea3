import { t } from '../../shared/i18n/en/insights';
import type { Insights } from './funnel';

type Ending = 'completed' | 'dismissed' | 'stopped' | 'abandoned' | 'failed' | 'superseded' | 'active';

export interface Outcome {
  readonly key: Ending;
  readonly name: string;
  readonly hint: string;
  readonly runs: number;
  /** The color of its part of the bar. */
  readonly color: string;
}

/** The ways in which the started runs ended, except those of no run. */
export function outcomesOf(insights: Pick<Insights, Ending>): Outcome[] {
  const looks: Readonly<Record<Ending, { readonly hint: string; readonly color: string }>> = {
    completed: { hint: t.outcomes.completed, color: 'bg-ok' },
    dismissed: { hint: t.figures.dismissedBy, color: 'bg-signal' },
    stopped: { hint: t.figures.stoppedBy, color: 'bg-muted' },
    abandoned: { hint: t.figures.abandonedAfter, color: 'bg-edge' },
    failed: { hint: t.figures.failedAt, color: 'bg-danger' },
    superseded: { hint: t.outcomes.superseded, color: 'bg-line' },
    active: { hint: t.outcomes.active, color: 'bg-brand' },
  };
  return (Object.keys(looks) as Ending[])
    .map(key => ({ key, name: t.figures[key], ...looks[key], runs: insights[key] }))
    .filter(each => each.runs > 0);
}
