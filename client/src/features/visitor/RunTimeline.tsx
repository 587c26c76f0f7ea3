import type { RunTimeline_RunFragment } from '../../generated/operations';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/visitor';
import { formatAgo, formatDateTime, formatDuration, formatList } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { useNow } from '../../shared/lib/hooks';
import { Badge, type Tone } from '../../shared/ui/Badge';

const tones: Readonly<Partial<Record<RunTimeline_RunFragment['state'], Tone>>> = {
  ACTIVE: 'brand',
  COMPLETED: 'ok',
  FAILED: 'danger',
};

const isStop = ({ kind, reason }: RunTimeline_RunFragment['events'][number]): boolean =>
  kind === 'RUN_DISMISSED' && reason === 'PROGRAM';

const stepName = ({ revision }: RunTimeline_RunFragment, key: string): string =>
  common.quoted(revision.steps.find(step => step.key === key)?.title || key);

export function RunTimeline({
  runs,
  selected,
}: {
  runs: readonly RunTimeline_RunFragment[];
  /** The id of a run to show first, with its events. */
  selected: string | null;
}) {
  const now = useNow();
  const isSelected = ({ id }: RunTimeline_RunFragment) => id === selected;
  return (
    <ol className="grid gap-2">
      {runs
        .toSorted((a, b) => Number(isSelected(b)) - Number(isSelected(a)))
        .map(run => (
          <li key={run.id} aria-current={isSelected(run) ? 'true' : undefined}>
            <details
              open={isSelected(run)}
              className={cx('rounded-control border', isSelected(run) ? 'border-brand' : 'border-line')}
            >
              <summary className="px-4 py-3 font-medium break-words">
                <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                  {t.runOf(run.tour.title, run.revision.number)}
                  <span className="inline-flex max-w-full flex-wrap items-center gap-x-3 gap-y-1 font-normal">
                    <Badge tone={tones[run.state] ?? 'plain'}>{t.states[run.state] ?? run.state}</Badge>
                    {run.missingSteps.length > 0 ? <Badge tone="signal">{t.withGaps}</Badge> : null}
                    <time dateTime={run.startedAt} title={formatDateTime(run.startedAt)} className="text-sm text-muted">
                      {formatAgo(run.startedAt, now)}
                    </time>
                    <span className="text-sm text-muted">
                      {t.steps(run.seenSteps.length, run.doneSteps.length)} · {formatDuration(run.activeMs)}
                      {run.endReason && run.state !== 'STOPPED'
                        ? ` · ${t.reasons[run.endReason] ?? run.endReason}`
                        : ''}
                    </span>
                  </span>
                </span>
              </summary>
              {run.missingSteps.length > 0 ? (
                <p className="border-t border-line px-4 pt-3 text-sm text-signal-ink">
                  {t.gaps(formatList(run.missingSteps.map(key => stepName(run, key))))}
                </p>
              ) : null}
              {run.events.length === 0 ? (
                <p className="border-t border-line px-4 py-3 text-sm text-muted">{t.noEvents}</p>
              ) : (
                <ol aria-label={t.events} className="grid gap-1 border-t border-line px-4 py-3 text-sm">
                  {run.events.map(event => (
                    <li key={event.seq} className="flex flex-wrap gap-x-3">
                      <span className="w-14 text-right text-muted tabular-nums">{formatDuration(event.activeMs)}</span>
                      <span>{isStop(event) ? t.states['STOPPED'] : (t.kinds[event.kind] ?? event.kind)}</span>
                      {event.stepKey ? (
                        <span className="min-w-0 break-words">{stepName(run, event.stepKey)}</span>
                      ) : null}
                      {event.reason && !isStop(event) ? (
                        <span className="text-muted">{t.reasons[event.reason] ?? event.reason}</span>
                      ) : null}
                    </li>
                  ))}
                </ol>
              )}
            </details>
          </li>
        ))}
    </ol>
  );
}
