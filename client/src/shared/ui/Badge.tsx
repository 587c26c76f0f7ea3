import type { ReactNode } from 'react';
import { cx } from '../lib/class-names';

export type Tone = 'plain' | 'ok' | 'signal' | 'danger' | 'brand';

const tones: Readonly<Record<Tone, string>> = {
  plain: 'bg-sunken text-muted',
  ok: 'bg-ok-soft text-ok',
  signal: 'bg-signal-soft text-signal-ink',
  danger: 'bg-danger-soft text-danger',
  brand: 'bg-brand-soft text-brand',
};

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

export function StatusDot({ tone, live = false, children }: { tone: Tone; live?: boolean; children: ReactNode }) {
  const colors: Readonly<Record<Tone, string>> = {
    plain: 'bg-edge',
    ok: 'bg-ok',
    signal: 'bg-signal',
    danger: 'bg-danger',
    brand: 'bg-brand',
  };
  return (
    <span className="inline-flex items-center gap-2">
      <span className={cx('size-2.5 rounded-full', colors[tone], live && 'animate-pulse-soft')} aria-hidden="true" />
      {children}
    </span>
  );
}
