import { useRunsQuery } from '../generated/hooks';
import type { RunsQuery, RunState } from '../generated/operations';
import { formatAgo, formatDuration } from '../lib/format';
import { useNow } from '../lib/now';
import { Badge, type Tone } from '../ui/Badge';
import { Panel } from '../ui/Card';
import { Loaded } from '../ui/Loaded';
import { MoreButton } from '../ui/MoreButton';
import { Table } from '../ui/Table';

type Run = RunsQuery['runs']['nodes'][number];

const states: Readonly<Record<RunState, { label: string; tone: Tone }>> = {
  ACTIVE: { label: 'under way', tone: 'brand' },
  COMPLETED: { label: 'completed', tone: 'ok' },
  DISMISSED: { label: 'closed', tone: 'plain' },
  ABANDONED: { label: 'left', tone: 'plain' },
  FAILED: { label: 'failed', tone: 'danger' },
};

export function RecentRuns({ tourId, siteId, steps }: { tourId: string; siteId: string | null; steps: number }) {
  const result = useRunsQuery({ variables: { tourId, siteId }, fetchPolicy: 'cache-and-network' });
  const now = useNow();
  return (
    <Panel title="Recent runs" description="The newest first, of all time.">
      <Loaded result={result} label="Loading the runs" rows={2}>
        {({ runs }) =>
          runs.nodes.length === 0 ? (
            <p className="text-muted">No runs yet.</p>
          ) : (
            <div className="grid gap-3">
              <Table<Run>
                caption="Recent runs"
                rows={runs.nodes}
                rowKey={run => run.id}
                columns={[
                  {
                    title: 'Who',
                    cell: run => (
                      <span className="block max-w-48 truncate">
                        {run.participant.externalId ?? 'Anonymous visitor'}
                      </span>
                    ),
                  },
                  { title: 'How it ended', cell: run => <StateBadge state={run.state} /> },
                  {
                    title: 'Steps done',
                    align: 'right',
                    cell: run => `${run.doneSteps.length} of ${Math.max(steps, run.seenSteps.length)}`,
                    secondary: true,
                  },
                  { title: 'Time', align: 'right', cell: run => formatDuration(run.activeMs), secondary: true },
                  { title: 'Revision', align: 'right', cell: run => run.revision.number, secondary: true },
                  { title: 'Started', align: 'right', cell: run => formatAgo(run.startedAt, now) },
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

function StateBadge({ state }: { state: RunState }) {
  const { label, tone } = states[state];
  return <Badge tone={tone}>{label}</Badge>;
}
