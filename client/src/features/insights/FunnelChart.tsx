import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { t } from '../../shared/i18n/en/insights';
import { formatCount, formatDuration, formatPercent } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { paths } from '../../shared/lib/paths';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import { dropOffAt, section, shareOf, type Funnel } from './funnel';
import { RECENT_RUNS } from './RecentRuns';

const WIDTH = 300;
const ROW = 64;
const HEAD = 28;

/** The table has all data, so the drawing is hidden from screen readers. */
export function FunnelChart({ funnel }: { funnel: Funnel }) {
  const id = useId();
  const { slug: workspace } = useWorkspace();
  const tour = useTour();
  const { steps, started, completed, largestDropOff: largest } = funnel;
  const end = shareOf(completed, started);
  const rows = steps.length + 1;
  return (
    <div className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-3 sm:gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <svg
        viewBox={`0 0 ${WIDTH} ${rows * ROW}`}
        preserveAspectRatio="none"
        className="w-full"
        style={{ height: rows * ROW, marginTop: HEAD }}
        aria-hidden="true"
      >
        {steps.map((step, index) => {
          const below = steps[index + 1]?.share ?? end;
          return (
            <path
              key={step.key}
              d={section(step.share, Math.min(step.share, below), index * ROW, ROW - 2, WIDTH)}
              className={cx(step === largest ? 'fill-signal' : 'fill-brand')}
              opacity={step === largest ? 1 : 0.9 - (0.5 * index) / rows}
            />
          );
        })}
        <path d={section(end, end, steps.length * ROW, ROW - 10, WIDTH)} className="fill-ok" />
      </svg>
      <table className="w-full border-collapse text-left" aria-labelledby={id}>
        <caption id={id} className="sr-only">
          {t.funnel.caption}
        </caption>
        <thead>
          <tr className="border-b border-line text-right align-bottom text-xs text-muted" style={{ height: HEAD }}>
            <th scope="col" className="pb-1 text-left font-normal">
              {t.funnel.step}
            </th>
            <th scope="col" className="pb-1 pl-2 font-normal">
              {t.funnel.seen}
            </th>
            <th scope="col" className="pb-1 pl-2 font-normal">
              {t.funnel.dropOff}
            </th>
            <th scope="col" className="hidden pb-1 pl-2 font-normal sm:table-cell">
              {t.funnel.time}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.key} className="border-b border-line" style={{ height: ROW }}>
              <th scope="row" className="pr-3 font-medium">
                <Link
                  to={paths.tour}
                  params={{ workspace, tour: tour.slug }}
                  search={{ step: step.key }}
                  className="line-clamp-2 underline-offset-2 hover:underline"
                >
                  <span className="text-muted tabular-nums">{index + 1} </span>
                  {step.title || step.key}
                </Link>
                {step.missing > 0 ? (
                  <Link
                    to={paths.tour}
                    params={{ workspace, tour: tour.slug }}
                    search={{ step: step.key, field: 'target' }}
                    className="block text-xs font-normal text-signal-ink underline underline-offset-2"
                  >
                    {t.funnel.missing(step.missing)}
                  </Link>
                ) : null}
                {step.attempts > 0 ? (
                  <Link
                    to={paths.tour}
                    params={{ workspace, tour: tour.slug }}
                    search={{ step: step.key, field: 'target' }}
                    className="block text-xs font-normal text-signal-ink underline underline-offset-2"
                  >
                    {t.funnel.notFound(step.attempts)}
                  </Link>
                ) : null}
                {step.medianMs === null ? null : (
                  <span className="block text-xs font-normal text-muted sm:hidden" aria-hidden="true">
                    <Median ms={step.medianMs} />
                  </span>
                )}
              </th>
              <td className="w-14 text-right tabular-nums sm:w-20">
                {formatCount(step.seen)}
                <span className="block text-xs text-muted">{formatPercent(step.share)}</span>
              </td>
              <td
                className={cx(
                  'w-14 text-right text-sm tabular-nums sm:w-20',
                  step === largest ? 'font-semibold text-signal-ink' : 'text-muted',
                )}
              >
                {step.dropOff === null || dropOffAt(step) === 0 ? (
                  '–'
                ) : (
                  <Link
                    to={paths.insights}
                    params={{ workspace, tour: tour.slug }}
                    search={({ state: _, ...rest }) => ({ ...rest, ended: step.key })}
                    hash={RECENT_RUNS}
                    title={t.funnel.runsEndedAt(dropOffAt(step), step.title || step.key)}
                    className="underline underline-offset-2"
                  >
                    −{formatPercent(step.dropOff)}
                    <span className="sr-only"> {t.funnel.runsEndedAt(dropOffAt(step), step.title || step.key)}</span>
                  </Link>
                )}
                {step.active > 0 ? (
                  <span className="block text-xs font-normal text-muted">{t.funnel.stillActive(step.active)}</span>
                ) : null}
              </td>
              <td className="hidden w-20 text-right text-sm text-muted tabular-nums sm:table-cell">
                {step.medianMs === null ? '–' : <Median ms={step.medianMs} />}
              </td>
            </tr>
          ))}
          <tr style={{ height: ROW }}>
            <th scope="row" className="font-semibold text-ok">
              {t.figures.completed}
            </th>
            <td className="text-right font-semibold text-ok tabular-nums">
              {formatCount(completed)}
              <span className="block text-xs">{formatPercent(end)}</span>
              {funnel.completedWithGaps > 0 ? (
                <span className="block text-xs font-normal text-signal-ink">
                  {t.funnel.withGaps(funnel.completedWithGaps)}
                </span>
              ) : null}
            </td>
            <td colSpan={2} aria-hidden="true" />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Median({ ms }: { ms: number }) {
  const duration = formatDuration(ms);
  return (
    <>
      <span className="sr-only">{t.figures.about(duration)}</span>
      <span aria-hidden="true">{t.figures.aboutInShort(duration)}</span>
    </>
  );
}
