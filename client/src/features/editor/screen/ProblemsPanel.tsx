import { t } from '../../../shared/i18n/en/editor';
import { cx } from '../../../shared/lib/class-names';
import { Panel } from '../../../shared/ui/Card';
import { Icon } from '../../../shared/ui/Icon';
import { fieldNames, type ProblemEntry, type ProblemLocation } from '../model/problems';

export function ProblemsPanel({
  entries,
  checked,
  onGo,
}: {
  entries: readonly ProblemEntry[];
  checked: boolean;
  onGo: (location: ProblemLocation) => void;
}) {
  const blockers = entries.filter(each => each.severity === 'BLOCKER').length;
  return (
    <Panel
      title={t.problems.title}
      description={
        entries.length === 0
          ? checked
            ? t.problems.none
            : t.problems.unchecked
          : blockers === 0
            ? t.problems.noBlocker
            : t.problems.toSolve(blockers)
      }
    >
      {entries.length > 0 ? (
        <ul className="-mx-2 grid gap-0.5">
          {entries.map(({ id, severity, text, location }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onGo(location)}
                className="group flex w-full items-start gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-sunken"
              >
                <Icon
                  name="warning"
                  className={cx('mt-0.5 size-4', severity === 'BLOCKER' ? 'text-danger' : 'text-signal-ink')}
                />
                <span className="min-w-0 grow wrap-anywhere">
                  <span
                    className={cx(
                      'block text-xs font-medium',
                      severity === 'BLOCKER' ? 'text-danger' : 'text-signal-ink',
                    )}
                  >
                    {[severity === 'BLOCKER' ? t.problems.problem : t.problems.hint, ...fieldNames(location)].join(
                      ' · ',
                    )}
                  </span>{' '}
                  {text}
                </span>
                <Icon name="right" className="mt-0.5 size-4 text-muted opacity-0 group-hover:opacity-100" />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className={cx('flex items-center gap-2', checked ? 'text-ok' : 'text-muted')}>
          <Icon name={checked ? 'check' : 'wait'} />
          {checked ? t.problems.allClear : t.problems.checking}
        </p>
      )}
    </Panel>
  );
}
