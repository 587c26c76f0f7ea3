import { Dialog as Radix } from 'radix-ui';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { t as common } from '../i18n/en/common';
import { cx } from '../lib/class-names';
import { IconButton } from './Button';
import { CloseGuard } from './close-guard';

export interface DialogProps {
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** Gets the focus. Radix would focus the close button. */
const FIRST_FIELD = 'input:not([type=radio], [type=checkbox], [readonly]), textarea, select';

/** Loaded by `Dialog.tsx`. `main.css` replaces Radix's `Overlay`, whose style the Content-Security-Policy forbids. */
export function OpenDialog({ onOpenChange, title, description, wide = false, children }: DialogProps) {
  const content = useRef<HTMLDivElement>(null);
  // Radix needs its own trigger to restore the focus.
  const [opener] = useState(() => document.activeElement);
  const guard = useRef<(() => boolean) | null>(null);
  const register = useCallback((mayClose: () => boolean) => {
    guard.current = mayClose;
    return () => {
      guard.current = null;
    };
  }, []);
  const change = (open: boolean) => {
    if (open || guard.current?.() !== false) onOpenChange(open);
  };
  return (
    <Radix.Root open onOpenChange={change}>
      <Radix.Portal>
        <div
          data-dialog=""
          className="fixed inset-0 z-40 grid animate-appear items-end bg-backdrop sm:items-center sm:p-6"
        >
          <Radix.Content
            ref={content}
            onOpenAutoFocus={event => {
              event.preventDefault();
              const field = content.current?.querySelector<HTMLElement>(FIRST_FIELD);
              if (field) field.focus();
              // Read from its title and not scrolled.
              else content.current?.focus({ preventScroll: true });
            }}
            onCloseAutoFocus={event => {
              event.preventDefault();
              restoreFocus(opener);
            }}
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={cx(
              'z-40 mx-auto max-h-dvh w-full animate-rise overflow-y-auto outline-none rounded-t-card bg-raised p-5 shadow-raised sm:max-h-[calc(100dvh-3rem)] sm:rounded-card sm:p-6',
              wide ? 'max-w-3xl' : 'max-w-lg',
            )}
          >
            <div className="flex items-start justify-between gap-4">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label={common.close} icon="close" className="-mt-1 -mr-1" />
              </Radix.Close>
            </div>
            {description ? (
              <Radix.Description asChild>
                <div className="mt-1 text-muted">{description}</div>
              </Radix.Description>
            ) : null}
            <div className="mt-5">
              <CloseGuard value={register}>{children}</CloseGuard>
            </div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Restores the screen's focus if the opener was removed. Does nothing if another element has the focus. */
function restoreFocus(opener: Element | null): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const target =
    opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector<HTMLElement>('main');
  target?.focus({ preventScroll: true });
}
