import { formatCount, formatPercent } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { shareOf } from './funnel';
import type { Outcome } from './outcomes';

/** One bar of all outcomes. The list below it has all data, so the bar is hidden from screen readers. */
export function OutcomeBar({ label, outcomes }: { label: string; outcomes: readonly Outcome[] }) {
  const all = outcomes.reduce((sum, { runs }) => sum + runs, 0);
  return (
    <div className="grid gap-4">
      <div aria-hidden="true" className="flex h-3 gap-0.5 overflow-hidden rounded-full">
        {outcomes.map(({ key, runs, color }) => (
          <span key={key} className={cx('min-w-1', color)} style={{ flexGrow: runs, flexBasis: 0 }} />
        ))}
      </div>
      <ul aria-label={label} className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {outcomes.map(({ key, name, hint, runs, color }) => (
          <li key={key} className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-2.5">
            <span aria-hidden="true" className={cx('size-2.5 rounded-xs', color)} />
            <span className="font-medium">{name}</span>
            <span className="tabular-nums">
              {formatCount(runs)} <span className="text-sm text-muted">{formatPercent(shareOf(runs, all))}</span>
            </span>
            <span className="col-start-2 col-end-4 text-sm text-muted">{hint}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
