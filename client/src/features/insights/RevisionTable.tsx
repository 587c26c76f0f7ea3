import { Link } from '@tanstack/react-router';
import { t } from '../../shared/i18n/en/insights';
import { formatCount, formatPercent } from '../../shared/i18n/format';
import { paths } from '../../shared/lib/paths';
import { Table } from '../../shared/ui/Table';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import type { Insights } from './funnel';

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
              className="underline underline-offset-2"
            >
              {t.revisions.number(each.number)}
            </Link>
          ),
        },
        { title: t.figures.started, align: 'right', cell: each => formatCount(each.started) },
        { title: t.figures.completed, align: 'right', cell: each => formatCount(each.completed) },
        {
          title: t.revisions.rate,
          align: 'right',
          cell: each => (each.completionRate === null ? '–' : formatPercent(each.completionRate)),
        },
        { title: t.figures.dismissed, align: 'right', secondary: true, cell: each => formatCount(each.dismissed) },
        { title: t.revisions.failed, align: 'right', secondary: true, cell: each => formatCount(each.failed) },
      ]}
    />
  );
}
