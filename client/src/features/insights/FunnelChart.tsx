import { Link } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import { t } from '../../shared/i18n/en/insights';
import { formatCount, formatDuration, formatPercent } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { paths } from '../../shared/lib/paths';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import { barOf, dropOffAt, shareOf, type Funnel, type FunnelStep } from './funnel';
import { RECENT_RUNS } from './RecentRuns';

/** Links in two lines of a cell need this distance (WCAG 2.2, 2.5.8). */
const LINK = 'inline-block min-h-6 underline-offset-2';

/** The bars repeat the numbers, so they are hidden from screen readers. */
export function FunnelChart({ funnel }: { funnel: Funnel }) {
  const id = useId();
  const { slug: workspace } = useWorkspace();
  const tour = useTour();
  const { steps, started, completed, largestDropOff: largest } = funnel;
  const end = shareOf(completed, started);
  return (
    <div className="grid gap-3">
      <table className="w-full border-collapse text-left" aria-labelledby={id}>
        <caption id={id} className="sr-only">
          {t.funnel.caption}
        </caption>
        <thead>
          <tr className="border-b border-line text-right align-bottom text-xs text-muted">
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
            <tr key={step.key} className="border-b border-line align-top">
              <th scope="row" className="w-full py-3 pr-3 font-medium sm:pr-6">
                <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <Link
                    to={paths.tour}
                    params={{ workspace, tour: tour.slug }}
                    search={{ step: step.key }}
                    className={cx(LINK, 'hover:underline')}
                  >
                    <span className="text-muted tabular-nums">{index + 1} </span>
                    {step.title || step.key}
                  </Link>
                  {step.missing > 0 ? (
                    <Link
                      to={paths.tour}
                      params={{ workspace, tour: tour.slug }}
                      search={{ step: step.key, field: 'target' }}
                      className={cx(LINK, 'text-sm font-normal text-signal-ink underline')}
                    >
                      {t.funnel.missing(step.missing)}
                    </Link>
                  ) : null}
                  {step.attempts > 0 ? (
                    <Link
                      to={paths.tour}
                      params={{ workspace, tour: tour.slug }}
                      search={{ step: step.key, field: 'target' }}
                      className={cx(LINK, 'text-sm font-normal text-signal-ink underline')}
                    >
                      {t.funnel.notFound(step.attempts)}
                    </Link>
                  ) : null}
                </span>
                <Bar step={step} started={started} isLargest={step === largest} />
                {step.medianMs === null ? null : (
                  <span className="mt-1 block text-xs font-normal text-muted sm:hidden" aria-hidden="true">
                    <Median ms={step.medianMs} />
                  </span>
                )}
              </th>
              <td className="min-w-14 py-3 text-right tabular-nums sm:min-w-20">
                {formatCount(step.seen)}
                <span className="block text-xs text-muted">{formatPercent(step.share)}</span>
              </td>
              <td
                className={cx(
                  'min-w-14 py-3 text-right text-sm tabular-nums sm:min-w-24',
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
                    className={cx(LINK, 'min-w-6 underline')}
                  >
                    −{formatPercent(step.dropOff)}
                    <span className="sr-only"> {t.funnel.runsEndedAt(dropOffAt(step), step.title || step.key)}</span>
                  </Link>
                )}
                {step.active > 0 ? (
                  <span className="block text-xs font-normal text-muted">{t.funnel.stillActive(step.active)}</span>
                ) : null}
              </td>
              <td className="hidden min-w-20 py-3 text-right text-sm text-muted tabular-nums sm:table-cell">
                {step.medianMs === null ? '–' : <Median ms={step.medianMs} />}
              </td>
            </tr>
          ))}
          <tr className="align-top">
            <th scope="row" className="py-3 pr-3 font-semibold text-ok sm:pr-6">
              {t.figures.completed}
              <Track>
                <span className="bg-ok" style={{ width: `${end * 100}%` }} />
              </Track>
            </th>
            <td className="py-3 text-right font-semibold text-ok tabular-nums">
              {formatCount(completed)}
              <span className="block text-xs">{formatPercent(end)}</span>
              {funnel.completedWithGaps > 0 ? (
                <span className="block text-xs font-normal text-signal-ink">
                  {t.funnel.withGaps(funnel.completedWithGaps)}
                </span>
              ) : null}
            </td>
            <td aria-hidden="true" />
            <td aria-hidden="true" className="hidden sm:table-cell" />
          </tr>
        </tbody>
      </table>
      {steps.some(step => step.missing > 0) ? (
        <p className="flex items-center gap-2 text-sm text-muted">
          <span aria-hidden="true" className="hatched h-3 w-6 rounded-xs text-signal" />
          {t.funnel.hatched}
        </p>
      ) : null}
    </div>
  );
}

function Bar({ step, started, isLargest }: { step: FunnelStep; started: number; isLargest: boolean }) {
  const { seen, missing } = barOf(step, started);
  return (
    <Track>
      <span className={isLargest ? 'bg-signal' : 'bg-brand'} style={{ width: `${seen * 100}%` }} />
      <span className="hatched text-signal" style={{ width: `${missing * 100}%` }} />
    </Track>
  );
}

const Track = ({ children }: { children: ReactNode }) => (
  <span aria-hidden="true" className="mt-1.5 flex h-3 overflow-hidden rounded-xs bg-sunken">
    {children}
  </span>
);

function Median({ ms }: { ms: number }) {
  const duration = formatDuration(ms);
  return (
    <>
      <span className="sr-only">{t.figures.about(duration)}</span>
      <span aria-hidden="true">{t.figures.aboutInShort(duration)}</span>
    </>
  );
}
