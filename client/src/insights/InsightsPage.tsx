import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTourInsightsQuery } from '../generated/hooks';
import { formatCount, formatDuration, formatPercent, plural } from '../lib/format';
import { useNow } from '../lib/now';
import { paths, routeIds } from '../paths';
import { useTour } from '../tour/tour-context';
import { buttonStyle } from '../ui/button-style';
import { Card, Panel } from '../ui/Card';
import { EmptyState } from '../ui/EmptyState';
import { Field, Input, Select } from '../ui/Field';
import { Loaded } from '../ui/Loaded';
import { Page } from '../ui/Page';
import { Segments } from '../ui/Segments';
import { useWorkspace } from '../workspace/workspace-context';
import { DayChart } from './DayChart';
import { daysIn, lastDays, rangeProblem, type DayRange } from './day-range';
import { funnelOf, type Insights } from './funnel';
import { FunnelChart } from './FunnelChart';
import { RecentRuns } from './RecentRuns';

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
  const result = useTourInsightsQuery({
    variables: { tourId: tour.id, siteId: site?.id ?? null, range },
    skip: problem !== null,
    fetchPolicy: 'cache-and-network',
  });
  const preset: Preset = own ? 'own' : (presets.find(each => each === String(search.days ?? DEFAULT_DAYS)) ?? 'own');
  const setOwn = (next: DayRange) =>
    void navigate({ search: ({ days: _, ...rest }) => ({ ...rest, ...next }), replace: true });
  return (
    <Page
      title="Insights"
      description="Who took this tour, how far they came, and where they gave up. Days are in UTC."
    >
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <Segments<Preset>
          label="Range"
          value={preset}
          choices={[
            { value: '7', label: '7 days' },
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
            { value: 'own', label: 'Own range' },
          ]}
          onChange={next =>
            next === 'own'
              ? setOwn(range)
              : void navigate({ search: { days: Number(next), ...(site ? { site: site.id } : {}) }, replace: true })
          }
        />
        {preset === 'own' ? (
          <>
            <Field label="From">
              <Input
                type="date"
                value={range.from}
                onChange={event => setOwn({ ...range, from: event.target.value })}
              />
            </Field>
            <Field label="To">
              <Input type="date" value={range.to} onChange={event => setOwn({ ...range, to: event.target.value })} />
            </Field>
          </>
        ) : null}
        <Field label="Site" className="min-w-44">
          <Select
            value={site?.id ?? ''}
            onChange={event => {
              const id = event.target.value;
              void navigate({ search: ({ site: _, ...rest }) => (id ? { ...rest, site: id } : rest), replace: true });
            }}
          >
            <option value="">All sites</option>
            {workspace.sites.map(each => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {problem ? (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      ) : (
        <Loaded result={{ ...result, data: result.data ?? result.previousData }} label="Loading the insights" rows={4}>
          {({ tourInsights }) => <Report insights={tourInsights} days={daysIn(range)} />}
        </Loaded>
      )}
      <RecentRuns tourId={tour.id} siteId={site?.id ?? null} steps={tour.draft.steps.length} />
    </Page>
  );
}

function Report({ insights, days }: { insights: Insights; days: number }) {
  const tour = useTour();
  const { slug: workspace } = useWorkspace();
  if (insights.started === 0) {
    return (
      <EmptyState
        title="Nobody took this tour in this range"
        action={
          tour.status === 'LIVE' ? null : (
            <Link to={paths.releases} params={{ workspace, tour: tour.slug }} className={buttonStyle('primary')}>
              Release it
            </Link>
          )
        }
      >
        {tour.status === 'LIVE'
          ? 'It is live: numbers appear here as soon as somebody meets it.'
          : 'It is not live. Once it is released, numbers appear here.'}
      </EmptyState>
    );
  }
  const funnel = funnelOf(insights);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-5">
        <Figure
          name="Started"
          value={formatCount(insights.started)}
          detail={plural(insights.participants, 'person', 'people')}
        />
        <Figure
          name="Completed"
          value={formatCount(insights.completed)}
          detail={
            insights.completionRate === null ? '' : `${formatPercent(insights.completionRate)} of those who started`
          }
        />
        <Figure name="Closed early" value={formatCount(insights.dismissed)} detail="by Close, Escape or a click beside it" />
        <Figure name="Left" value={formatCount(insights.abandoned)} detail="without an end for a day" />
        <Figure
          name="Median time"
          value={insights.medianActiveMs === null ? '–' : formatDuration(insights.medianActiveMs)}
          detail={insights.failed > 0 ? `${formatCount(insights.failed)} runs failed` : 'of completed runs'}
        />
      </dl>
      <Panel
        title="Funnel"
        description={funnel.leak ? `Most people are lost at “${funnel.leak.title}”.` : 'Nobody was lost on the way.'}
      >
        <FunnelChart funnel={funnel} />
      </Panel>
      <Panel title="By day" description={`Runs that started on each of ${days} days.`}>
        <DayChart days={insights.byDay} />
      </Panel>
    </>
  );
}

function Figure({ name, value, detail }: { name: string; value: string; detail: string }) {
  return (
    <Card className="p-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-2xl font-semibold tabular-nums">{value}</dd>
      <dd className="text-xs text-muted">{detail}</dd>
    </Card>
  );
}
