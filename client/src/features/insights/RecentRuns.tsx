import { Link } from '@tanstack/react-router';
import { useRunsQuery } from '../../generated/hooks';
import type { RunsQuery, RunState } from '../../generated/operations';
import { t } from '../../shared/i18n/en/insights';
import { formatAgo, formatDuration } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { visitorName } from '../../shared/lib/visitor-name';
import { Badge, type Tone } from '../../shared/ui/Badge';
import { Panel } from '../../shared/ui/Card';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Table } from '../../shared/ui/Table';
import { useWorkspace } from '../workspace/workspace-context';

type Run = RunsQuery['runs']['nodes'][number];

const tones: Readonly<Record<RunState, Tone>> = {
  ACTIVE: 'brand',
  COMPLETED: 'ok',
  DISMISSED: 'plain',
  ABANDONED: 'plain',
  SUPERSEDED: 'plain',
  FAILED: 'danger',
};

export function RecentRuns({ tourId, siteId }: { tourId: string; siteId: string | null }) {
  const result = useRunsQuery({ variables: { tourId, siteId }, fetchPolicy: 'cache-and-network' });
  const now = useNow();
  const { slug } = useWorkspace();
  return (
    <Panel title={t.runs.title} description={t.runs.description}>
      <Loaded result={result} label={t.runs.loading} rows={2}>
        {({ runs }) =>
          runs.nodes.length === 0 ? (
            <p className="text-muted">{t.runs.none}</p>
          ) : (
            <div className="grid gap-3">
              <Table<Run>
                caption={t.runs.title}
                rows={runs.nodes}
                rowKey={run => run.id}
                columns={[
                  {
                    title: t.runs.visitor,
                    cell: run => (
                      <Link
                        to={paths.visitor}
                        params={{ workspace: slug, visitor: run.visitor.id }}
                        className="block max-w-64 truncate underline underline-offset-2"
                      >
                        {visitorName(run.visitor)}
                      </Link>
                    ),
                  },
                  { title: t.runs.status, cell: run => <StateBadge state={run.state} /> },
                  {
                    title: t.runs.done,
                    align: 'right',
                    cell: run => t.runs.doneOf(run.doneSteps.length, run.revision.steps.length),
                    secondary: true,
                  },
                  { title: t.runs.time, align: 'right', cell: run => formatDuration(run.activeMs), secondary: true },
                  { title: t.runs.revision, align: 'right', cell: run => run.revision.number, secondary: true },
                  { title: t.runs.started, align: 'right', cell: run => formatAgo(run.startedAt, now) },
                ]}
              />
              {runs.pageInfo.hasNextPage ? (
                <MoreButton onMore={() => result.fetchMore({ variables: { after: runs.pageInfo.endCursor } })} />
              ) : null}
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

const StateBadge = ({ state }: { state: RunState }) => <Badge tone={tones[state]}>{t.runStates[state]}</Badge>;
