import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { MutationTourRelease } from '../../generated/fields';
import { useTourInsightsQuery, useTourVisitorsQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/insights';
import { formatCount, formatDuration, formatPercent } from '../../shared/i18n/format';
import { CSV_TYPE } from '../../shared/lib/csv';
import { download } from '../../shared/lib/download';
import { useNow } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { Card, Panel } from '../../shared/ui/Card';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Field, Input, Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { PartPage } from '../../shared/ui/Page';
import { Segments } from '../../shared/ui/Segments';
import { awaitsInstallation } from '../tour/awaits-installation';
import { useTour } from '../tour/tour-context';
import { SiteOptions } from '../workspace/SiteOptions';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { daysIn, lastDays, rangeProblem, type DayRange } from './day-range';
import { DayChart } from './DayChart';
import { daysCsv, stepsCsv } from './export-csv';
import { funnelOf, formatFunnel, type Insights } from './funnel';
import { FunnelChart } from './FunnelChart';
import { LiftPanel } from './LiftPanel';
import { OutcomeBar } from './OutcomeBar';
import { outcomesOf } from './outcomes';
import { RecentRuns } from './RecentRuns';
import { RevisionTable } from './RevisionTable';
import { formatTrend, rangeBefore } from './trend';

const presets = ['7', '30', '90', 'own'] as const;
type Preset = (typeof presets)[number];
const DEFAULT_DAYS = 30;

export function InsightsPage() {
  const tour = useTour();
  const workspace = useWorkspace();
  const search = useSearch({ from: routeIds.insights });
  const navigate = useNavigate({ from: paths.insights });
  const now = useNow();
  const own = search.from !== undefined && search.to !== undefined ? { from: search.from, to: search.to } : null;
  const range: DayRange = own ?? lastDays(search.days ?? DEFAULT_DAYS, now);
  const problem = rangeProblem(range);
  const site = workspace.sites.find(each => each.id === search.site);
  const revisionId = search.revision ?? null;
  const variables = { tourId: tour.id, siteId: site?.id ?? null, revisionId, range };
  const result = useTourInsightsQuery({ variables, skip: problem !== null, fetchPolicy: 'cache-and-network' });
  const before = useTourInsightsQuery({
    variables: { ...variables, range: problem === null ? rangeBefore(range) : range },
    skip: problem !== null,
  });
  // Counting visitors takes longer.
  const visitors = useTourVisitorsQuery({
    variables,
    skip: problem !== null,
    fetchPolicy: 'cache-and-network',
  });
  const preset: Preset = own ? 'own' : (presets.find(each => each === String(search.days ?? DEFAULT_DAYS)) ?? 'own');
  const setOwn = (next: DayRange) =>
    void navigate({ search: ({ days: _, ...rest }) => ({ ...rest, ...next }), replace: true });
  return (
    <PartPage title={t.page.title} description={t.page.description}>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <div className="grid gap-1.5">
          <span aria-hidden="true" className="text-sm font-medium">
            {t.page.range}
          </span>
          <Segments<Preset>
            label={t.page.range}
            value={preset}
            choices={[
              ...presets.slice(0, -1).map(value => ({ value, label: t.page.lastDays(Number(value)) })),
              { value: 'own', label: t.page.own },
            ]}
            onChange={next =>
              next === 'own'
                ? setOwn(range)
                : void navigate({
                    search: ({ from: _from, to: _to, revision: _revision, ...rest }) => ({
                      ...rest,
                      days: Number(next),
                    }),
                    replace: true,
                  })
            }
          />
        </div>
        {preset === 'own' ? (
          <>
            <Field label={t.page.from}>
              <Input
                type="date"
                value={range.from}
                onChange={event => setOwn({ ...range, from: event.target.value })}
              />
            </Field>
            <Field label={t.page.to}>
              <Input type="date" value={range.to} onChange={event => setOwn({ ...range, to: event.target.value })} />
            </Field>
          </>
        ) : null}
        <Field label={t.page.site} className="min-w-44">
          <Select
            value={site?.id ?? ''}
            onChange={event => {
              const id = event.target.value;
              void navigate({ search: ({ site: _, ...rest }) => (id ? { ...rest, site: id } : rest), replace: true });
            }}
          >
            <option value="">{t.page.allSites}</option>
            <SiteOptions />
          </Select>
        </Field>
      </div>
      {revisionId === null ? null : (
        <p className="flex flex-wrap items-center gap-3">
          {t.revisions.only(result.data?.tourInsights.byRevision[0]?.number ?? null)}
          <Button
            size="small"
            onClick={() => void navigate({ search: ({ revision: _, ...rest }) => rest, replace: true })}
          >
            {t.revisions.all}
          </Button>
        </p>
      )}
      {problem ? (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      ) : (
        <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.page.loading} rows={4}>
          {({ tourInsights }) => (
            <Report
              insights={tourInsights}
              before={before.data?.tourInsights ?? null}
              visitors={visitors.data?.tourVisitors ?? null}
              days={daysIn(range)}
              file={`${tour.slug}-${range.from}-${range.to}`}
            />
          )}
        </Loaded>
      )}
      {tour.status === 'DRAFT' ? null : <LiftPanel siteId={site?.id ?? null} />}
      {problem === null ? (
        <RecentRuns
          tourId={tour.id}
          scope={{ siteId: site?.id ?? null, revisionId, range }}
          steps={result.data?.tourInsights.steps ?? []}
        />
      ) : null}
    </PartPage>
  );
}

function Report({
  insights,
  before,
  visitors,
  days,
  file,
}: {
  insights: Insights;
  /** The numbers of the equally long range before; null while loading. */
  before: Insights | null;
  visitors: number | null;
  days: number;
  file: string;
}) {
  const tour = useTour();
  const workspace = useWorkspace();
  const isNotInstalled = awaitsInstallation(tour.open, workspace);
  const mayNotRelease = useReason()(MutationTourRelease);
  const { attemptsWithoutElement, attemptsWithoutPlayer } = insights;
  const [notFound = null] = insights.steps.toSorted((a, b) => b.attempts - a.attempts);
  if (insights.started === 0 && attemptsWithoutElement + attemptsWithoutPlayer > 0) {
    return (
      <EmptyState
        title={t.page.noRuns}
        action={
          notFound && notFound.attempts > 0 ? (
            <Link
              to={paths.tour}
              params={{ workspace: workspace.slug, tour: tour.slug }}
              search={{ step: notFound.stepKey, field: 'target' }}
              className={buttonStyle('primary')}
            >
              {t.page.checkTarget}
            </Link>
          ) : null
        }
      >
        {[
          ...(attemptsWithoutElement > 0
            ? [t.page.notFound(attemptsWithoutElement, notFound?.attempts ? notFound.title || notFound.stepKey : null)]
            : []),
          ...(attemptsWithoutPlayer > 0 ? [t.page.notLoaded(attemptsWithoutPlayer)] : []),
        ].join(' ')}
      </EmptyState>
    );
  }
  if (insights.started === 0) {
    return (
      <EmptyState
        title={t.page.noRuns}
        action={
          tour.status === 'LIVE' || mayNotRelease !== null ? null : (
            <Link
              to={paths.releases}
              params={{ workspace: workspace.slug, tour: tour.slug }}
              className={buttonStyle('primary')}
            >
              {t.page.release}
            </Link>
          )
        }
      >
        {tour.status !== 'LIVE' ? t.page.notLive : isNotInstalled ? t.page.notInstalled : t.page.waiting}
      </EmptyState>
    );
  }
  const funnel = funnelOf(insights);
  return (
    <>
      <dl className="grid gap-3 sm:grid-cols-3">
        <Figure
          name={t.figures.started}
          value={formatCount(insights.started)}
          detail={visitors === null ? t.figures.counting : t.figures.visitors(visitors)}
          trend={formatTrend('count', { now: insights.started, before: before?.started ?? null, days })}
        />
        <Figure
          name={t.figures.completed}
          value={formatCount(insights.completed)}
          detail={insights.completionRate === null ? '' : t.figures.rate(formatPercent(insights.completionRate))}
          warning={insights.completedWithGaps > 0 ? t.figures.withGaps(insights.completedWithGaps) : null}
          trend={formatTrend('rate', { now: insights.completionRate, before: before?.completionRate ?? null, days })}
        />
        <Figure
          name={t.figures.median}
          value={insights.medianActiveMs === null ? '–' : t.figures.about(formatDuration(insights.medianActiveMs))}
          detail={t.figures.medianOf}
          trend={formatTrend('count', { now: insights.medianActiveMs, before: before?.medianActiveMs ?? null, days })}
        />
        {attemptsWithoutElement + attemptsWithoutPlayer > 0 ? (
          <Figure
            name={t.figures.attempts}
            value={formatCount(attemptsWithoutElement + attemptsWithoutPlayer)}
            detail=""
            warning={[
              ...(attemptsWithoutElement > 0 ? [t.figures.attemptsWithoutElement(attemptsWithoutElement)] : []),
              ...(attemptsWithoutPlayer > 0 ? [t.figures.attemptsWithoutPlayer(attemptsWithoutPlayer)] : []),
            ].join(', ')}
          />
        ) : null}
      </dl>
      <Panel title={t.outcomes.title} description={t.outcomes.description}>
        <OutcomeBar label={t.outcomes.title} outcomes={outcomesOf(insights)} />
      </Panel>
      <Panel
        title={t.funnel.title}
        description={formatFunnel(funnel, insights)}
        actions={
          <Button size="small" onClick={() => download(`${file}-steps.csv`, stepsCsv(insights), CSV_TYPE)}>
            {t.export.steps}
          </Button>
        }
      >
        <FunnelChart funnel={funnel} />
      </Panel>
      <Panel
        title={t.days.title}
        description={t.days.description(days)}
        actions={
          <Button size="small" onClick={() => download(`${file}-days.csv`, daysCsv(insights), CSV_TYPE)}>
            {t.export.days}
          </Button>
        }
      >
        <DayChart days={insights.byDay} />
      </Panel>
      <Panel title={t.revisions.title} description={t.revisions.description}>
        <RevisionTable revisions={insights.byRevision} />
      </Panel>
    </>
  );
}

function Figure({
  name,
  value,
  detail,
  trend = null,
  warning = null,
}: {
  name: string;
  value: string;
  detail: string;
  trend?: string | null;
  warning?: string | null;
}) {
  return (
    <Card className="p-4 sm:p-5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-3xl font-semibold tabular-nums">{value}</dd>
      {detail ? <dd className="text-sm text-muted">{detail}</dd> : null}
      {warning ? <dd className="text-sm text-signal-ink">{warning}</dd> : null}
      {trend === null ? null : <dd className="mt-2 text-sm">{trend}</dd>}
    </Card>
  );
}
