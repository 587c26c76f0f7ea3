import { Link } from '@tanstack/react-router';
import { useTourLiftQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/insights';
import { formatChange, formatDateTime, formatPoints, formatRate } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { CSV_TYPE } from '../../shared/lib/csv';
import { download } from '../../shared/lib/download';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { Panel } from '../../shared/ui/Card';
import { Loaded } from '../../shared/ui/Loaded';
import { Table } from '../../shared/ui/Table';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import { liftCsv } from './export-csv';
import { axisEnd, findingOf, formatLift, type Finding, type ReleaseLift } from './lift';

export function LiftPanel({ siteId }: { siteId: string | null }) {
  const tour = useTour();
  const { slug: workspace } = useWorkspace();
  const result = useTourLiftQuery({ variables: { tourId: tour.id, siteId }, fetchPolicy: 'cache-and-network' });
  const lifts = (result.data ?? result.previousData)?.tourLift ?? [];
  return (
    <Panel
      title={t.lift.title}
      description={t.lift.description}
      actions={
        lifts.length > 0 ? (
          <Button size="small" onClick={() => download(`${tour.slug}-lift.csv`, liftCsv(lifts), CSV_TYPE)}>
            {t.export.lift}
          </Button>
        ) : null
      }
    >
      <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.lift.loading} rows={2}>
        {({ tourLift: [newest, ...older] }) =>
          newest ? (
            <div className="grid grid-cols-1 gap-4">
              <p>
                <strong className="font-semibold">{t.lift.about(nameOf(newest))}</strong> {formatLift(newest)}
                {older.length > 0 ? ` ${t.lift.othersBelow}` : ''}
              </p>
              <LiftChart lifts={[newest, ...older].filter(each => each.lift)} />
              <LiftTable lifts={[newest, ...older]} />
            </div>
          ) : (
            <div className="grid justify-items-start gap-3">
              <p className="max-w-prose text-muted">{t.lift.noGoal}</p>
              <Link to={paths.releases} params={{ workspace, tour: tour.slug }} className={buttonStyle('secondary')}>
                {t.lift.toReleases}
              </Link>
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

const nameOf = ({ release }: ReleaseLift) =>
  t.lift.release(release.revision.number, release.site.name, release.rollbackOf !== null);

const colors: Record<Finding, string> = {
  more: 'bg-ok',
  fewer: 'bg-signal',
  unclear: 'bg-muted',
  tooFew: 'bg-muted',
  noHoldout: 'bg-muted',
};

/** The table has the same data. */
function LiftChart({ lifts }: { lifts: readonly ReleaseLift[] }) {
  if (lifts.length === 0) return null;
  const end = axisEnd(lifts);
  const at = (difference: number) => `${50 + (difference / end) * 50}%`;
  return (
    <div aria-hidden="true" className="grid gap-3">
      {lifts.map(each =>
        each.lift ? (
          <div key={each.release.id} className="grid gap-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,3fr)] sm:gap-4">
            <span className="truncate text-sm">{nameOf(each)}</span>
            <div className="relative h-5 rounded-control bg-sunken">
              <div className="absolute inset-y-0 left-1/2 border-l border-edge" />
              <div
                className={cx('absolute top-2 h-1 rounded-full', colors[findingOf(each)])}
                style={{ left: at(each.lift.low), width: `${((each.lift.high - each.lift.low) / end) * 50}%` }}
              />
              <div
                className={cx('absolute top-1 size-3 -translate-x-1/2 rounded-full', colors[findingOf(each)])}
                style={{ left: at(each.lift.difference) }}
              />
            </div>
          </div>
        ) : null,
      )}
      <div className="grid text-xs text-muted sm:grid-cols-[minmax(0,1fr)_minmax(0,3fr)] sm:gap-4">
        <span className="max-sm:hidden" />
        <div className="grid gap-1">
          <div className="flex justify-between tabular-nums">
            <span>{formatPoints(-end)}</span>
            <span>0</span>
            <span>{formatPoints(end)}</span>
          </div>
          <span className="text-center">{t.lift.points}</span>
        </div>
      </div>
    </div>
  );
}

function LiftTable({ lifts }: { lifts: readonly ReleaseLift[] }) {
  const rate = ({ visitors, reached, rate: share }: ReleaseLift['holdout']) =>
    share === null ? (
      t.lift.noVisitors
    ) : (
      <>
        {formatRate(share)}
        <span className="block text-xs text-muted">{t.lift.of(reached, visitors)}</span>
      </>
    );
  return (
    <Table
      caption={t.lift.title}
      rows={lifts}
      rowKey={each => each.release.id}
      columns={[
        {
          title: t.runs.revision,
          cell: each => (
            <div className="min-w-36">
              {nameOf(each)}
              <span className="block text-xs font-normal text-muted">
                {t.lift.time(
                  formatDateTime(each.release.at),
                  each.release.endedAt === null ? null : formatDateTime(each.release.endedAt),
                )}
              </span>
            </div>
          ),
        },
        { title: t.lift.goal, cell: each => <code className="text-sm">{each.release.goal}</code> },
        { title: t.lift.offered, align: 'right', cell: each => rate(each.offered) },
        { title: t.lift.holdout, align: 'right', cell: each => rate(each.holdout) },
        {
          title: t.lift.difference,
          align: 'right',
          cell: ({ lift }) => (lift ? formatPoints(lift.difference) : '–'),
        },
        {
          title: t.lift.interval,
          align: 'right',
          cell: ({ lift }) => (lift ? t.lift.between(formatPoints(lift.low), formatPoints(lift.high)) : '–'),
        },
        {
          title: t.lift.relative,
          align: 'right',
          secondary: true,
          cell: ({ lift }) => (lift && lift.relative !== null ? formatChange(lift.relative) : '–'),
        },
      ]}
    />
  );
}
