import { t as common } from '../i18n/en/common';
import { cx } from '../lib/class-names';
import { Logo } from './Logo';

/** Has about the size of the content, to avoid layout shifts. */
export function Skeleton({ label = common.loading, rows = 3 }: { label?: string; rows?: number }) {
  return (
    <div role="status" aria-label={label} className="grid gap-3">
      {Array.from({ length: rows }, (_, index) => (
        <div
          key={index}
          className={cx(
            'h-16 animate-pulse-soft rounded-card border border-line bg-surface',
            index > 1 && 'opacity-60',
          )}
        />
      ))}
    </div>
  );
}

/** Fills the window until the session is known. */
export function Starting({ label }: { label: string }) {
  return (
    <div className="starting">
      <Logo className="size-10" />
      Waypost
      <output className="sr-only">{label}</output>
    </div>
  );
}

export function Spinner({ label = common.loading }: { label?: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-2 text-muted">
      <span
        aria-hidden="true"
        className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
      />
      {label}
    </span>
  );
}
