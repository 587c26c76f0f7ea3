import { Link } from '@tanstack/react-router';
import { t } from '../../shared/i18n/en/insights';
import { formatCount, formatPercent } from '../../shared/i18n/format';
import { paths } from '../../shared/lib/paths';
import { Table } from '../../shared/ui/Table';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import type { Insights } from './funnel';

const numbers = { align: 'right', secondary: true } as const;

export function RevisionTable({ revisions }: { revisions: Insights['byRevision'] }) {
  const { slug: workspace } = useWorkspace();
  const tour = useTour();
  return (
    <Table
      caption={t.revisions.title}
      rows={revisions}
      rowKey={each => each.revisionId}
      columns={[
        {
          title: t.runs.revision,
          cell: each => (
            <Link
              to={paths.insights}
              params={{ workspace, tour: tour.slug }}
              search={before => ({ ...before, revision: each.revisionId })}
              className="whitespace-nowrap underline underline-offset-2"
            >
              {t.revisions.number(each.number)}
            </Link>
          ),
        },
        { title: t.figures.started, align: 'right', cell: each => formatCount(each.started) },
        {
          title: t.figures.completed,
          align: 'right',
          cell: each => (
            <>
              {formatCount(each.completed)}
              {each.completionRate === null ? null : (
                <span className="block text-xs text-muted">{formatPercent(each.completionRate)}</span>
              )}
              {each.completedWithGaps > 0 ? (
                <span className="block text-xs text-signal-ink">{t.funnel.withGaps(each.completedWithGaps)}</span>
              ) : null}
            </>
          ),
        },
        // With the completed ones, these add up to the started ones.
        { title: t.figures.dismissed, ...numbers, cell: each => formatCount(each.dismissed) },
        { title: t.figures.stopped, ...numbers, cell: each => formatCount(each.stopped) },
        { title: t.figures.abandoned, ...numbers, cell: each => formatCount(each.abandoned) },
        { title: t.figures.failed, ...numbers, cell: each => formatCount(each.failed) },
        { title: t.figures.superseded, ...numbers, cell: each => formatCount(each.superseded) },
        { title: t.figures.active, ...numbers, cell: each => formatCount(each.active) },
      ]}
    />
  );
}
