import { useEffect, useRef, useSyncExternalStore } from 'react';
import { t } from '../i18n/en/ui';
import { cx } from '../lib/class-names';
import { Button, IconButton } from './Button';
import { dismissToast, showToastAfterLoad, type Toast, toasts } from './toast';

const TOAST_DURATION_MS = 6000;

/**
 * No screen has controls at the position of the notices (`.notices` in `main.css`). F8 moves the focus to them. They
 * stay while hovered or focused.
 */
export function Toasts() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get);
  const region = useRef<HTMLElement>(null);
  useEffect(showToastAfterLoad, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F8') region.current?.querySelector('button')?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <section ref={region} aria-label={t.notices} className="notices pointer-events-none fixed z-50">
      <ol className="grid gap-2" aria-live="polite" aria-relevant="additions">
        {shown.map(each => (
          <Notice key={each.id} toast={each} />
        ))}
      </ol>
    </section>
  );
}

function Notice({ toast: { id, text, tone, action } }: { toast: Toast }) {
  const timer = useRef<number | undefined>(undefined);
  const hold = () => window.clearTimeout(timer.current);
  const run = () => {
    hold();
    timer.current = window.setTimeout(() => dismissToast(id), TOAST_DURATION_MS);
  };
  useEffect(() => {
    timer.current = window.setTimeout(() => dismissToast(id), TOAST_DURATION_MS);
    return () => window.clearTimeout(timer.current);
  }, [id]);
  const onDark = tone === 'plain' ? 'text-paper hover:bg-paper/15' : '';
  return (
    // Only stops the timer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onPointerEnter={hold}
      onPointerLeave={run}
      onFocus={hold}
      onBlur={run}
      data-notice=""
      className={cx(
        'pointer-events-auto flex animate-rise flex-wrap items-center justify-end gap-x-3 rounded-card py-2 pr-2 pl-4 shadow-raised',
        tone === 'danger' ? 'border border-danger bg-danger-soft text-ink' : 'bg-ink text-paper',
      )}
    >
      <span className="min-w-0 grow basis-32 wrap-anywhere">{text}</span>
      {action ? (
        <Button
          variant="ghost"
          size="small"
          className={cx('underline underline-offset-4', onDark)}
          onClick={() => {
            action.run();
            dismissToast(id);
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton label={t.dismiss} icon="close" className={onDark} onClick={() => dismissToast(id)} />
    </li>
  );
}
