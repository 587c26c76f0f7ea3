/** The tables of insights as files. Headings are those of the API, so that a sheet that was made once fits every language. */
import { csvOf } from '../lib/csv';
import type { Insights } from './funnel';

export const stepsCsv = ({ steps }: Pick<Insights, 'steps'>): string =>
  csvOf(
    ['step', 'title', 'seen', 'done', 'drop_off', 'median_ms', 'missing'],
    steps.map(step => [step.stepKey, step.title, step.seen, step.done, step.dropOff, step.medianMs, step.missing]),
  );

export const daysCsv = ({ byDay }: Pick<Insights, 'byDay'>): string =>
  csvOf(
    ['day', 'started', 'completed', 'dismissed'],
    byDay.map(each => [each.day, each.started, each.completed, each.dismissed]),
  );
