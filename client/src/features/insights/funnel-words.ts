/** What the funnel says in words, and no more than its numbers say. */
import { t } from '../../shared/i18n/en/insights';
import type { Funnel, Insights } from './funnel';

export function funnelWords(
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
