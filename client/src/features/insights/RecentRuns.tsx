import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRunsQuery } from '../../generated/hooks';
import type { RunsQuery, RunState } from '../../generated/operations';
import { RunStateValues } from '../../generated/rules';
import { t } from '../../shared/i18n/en/insights';
import { formatAgo, formatCount, formatDuration } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { visitorName } from '../../shared/lib/visitor-name';
import { Badge, type Tone } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Field, Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Table } from '../../shared/ui/Table';
import { useWorkspace } from '../workspace/workspace-context';
import type { DayRange } from './day-range';

type Run = RunsQuery['runs']['nodes'][number];

const tones: Readonly<Record<RunState, Tone>> = {
  ACTIVE: 'brand',
  COMPLETED: 'ok',
  DISMISSED: 'plain',
  STOPPED: 'plain',
  ABANDONED: 'plain',
  SUPERSEDED: 'plain',
  FAILED: 'danger',
};

/** The id of the panel. */
export const RECENT_RUNS = 'recent-runs';

interface Scope {
  readonly siteId: string | null;
  readonly revisionId: string | null;
  readonly range: DayRange;
}

export function RecentRuns({
  tourId,
  scope,
  steps,
}: {
  tourId: string;
  scope: Scope;
  /** The steps that the filter offers. */
  steps: readonly { readonly stepKey: string; readonly title: string }[];
}) {
  const { state, ended } = useSearch({ from: routeIds.insights });
  const navigate = useNavigate({ from: paths.insights });
  const result = useRunsQuery({
    variables: { tourId, filter: { ...scope, state: state ?? null, endedAtStep: ended ?? null } },
    fetchPolicy: 'cache-and-network',
  });
  const now = useNow();
  const { slug } = useWorkspace();
  const isFiltered = state !== undefined || ended !== undefined;
  const showAll = () =>
    void navigate({ search: ({ state: _state, ended: _ended, ...rest }) => rest, replace: true, resetScroll: false });
  return (
    <Panel
      id={RECENT_RUNS}
      title={t.runs.title}
      description={t.runs.description}
      actions={
        <div className="flex flex-wrap gap-x-4 gap-y-3">
          <Field label={t.runs.status} className="min-w-36">
            <Select
              value={state ?? ''}
              onChange={event => {
                const chosen = RunStateValues.find(each => each === event.target.value);
                void navigate({
                  search: ({ state: _, ...rest }) => (chosen ? { ...rest, state: chosen } : rest),
                  replace: true,
                  resetScroll: false,
                });
              }}
            >
              <option value="">{t.runs.anyStatus}</option>
              {RunStateValues.map(value => (
                <option key={value} value={value}>
                  {t.runStates[value]}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t.runs.endedAt} className="w-full sm:w-52">
            <Select
              value={ended ?? ''}
              onChange={event => {
                const key = event.target.value;
                void navigate({
                  search: ({ ended: _, ...rest }) => (key ? { ...rest, ended: key } : rest),
                  replace: true,
                  resetScroll: false,
                });
              }}
            >
              <option value="">{t.runs.anyStep}</option>
              {steps.map(({ stepKey, title }, index) => (
                <option key={stepKey} value={stepKey}>
                  {`${formatCount(index + 1)} ${title || stepKey}`}
                </option>
              ))}
              {ended === undefined || steps.some(({ stepKey }) => stepKey === ended) ? null : (
                <option value={ended}>{ended}</option>
              )}
            </Select>
          </Field>
        </div>
      }
    >
      <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.runs.loading} rows={2}>
        {({ runs }) =>
          runs.nodes.length === 0 ? (
            isFiltered ? (
              <p role="status" className="flex flex-wrap items-center gap-3 text-muted">
                {t.runs.noMatch}
                <Button size="small" onClick={showAll}>
                  {t.runs.showAll}
                </Button>
              </p>
            ) : (
              <p className="text-muted">{t.runs.none}</p>
            )
          ) : (
            <div className="grid gap-3" aria-busy={result.loading}>
              <Table<Run>
                caption={t.runs.title}
                rows={runs.nodes}
                rowKey={run => run.id}
                columns={[
                  {
                    title: t.runs.visitor,
                    cell: run => (
                      <>
                        <Link
                          to={paths.visitor}
                          params={{ workspace: slug, visitor: run.visitor.id }}
                          search={{ run: run.id }}
                          className="block max-w-36 truncate underline underline-offset-2 sm:max-w-64"
                        >
                          {visitorName(run.visitor)}
                        </Link>
                        {/* The column of the time has no place on a phone. */}
                        <span className="block text-sm font-normal text-muted md:hidden">
                          {formatAgo(run.startedAt, now)}
                        </span>
                      </>
                    ),
                  },
                  { title: t.runs.status, cell: run => <RunBadges run={run} /> },
                  {
                    title: t.runs.done,
                    align: 'right',
                    cell: run => t.runs.doneOf(run.doneSteps.length, run.revision.steps.length),
                    secondary: true,
                  },
                  { title: t.runs.time, align: 'right', cell: run => formatDuration(run.activeMs), secondary: true },
                  { title: t.runs.revision, align: 'right', cell: run => run.revision.number, secondary: true },
                  {
                    title: t.runs.started,
                    align: 'right',
                    cell: run => formatAgo(run.startedAt, now),
                    secondary: true,
                  },
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

const RunBadges = ({ run: { state, missingSteps } }: { run: Run }) => (
  <span className="inline-flex flex-wrap gap-1">
    <Badge tone={tones[state]}>{t.runStates[state]}</Badge>
    {missingSteps.length > 0 ? <Badge tone="signal">{t.withGaps}</Badge> : null}
  </span>
);
