import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../lib/class-names';
import { IconButton } from './Button';

/**
 * A dialog over the page: it traps focus, closes on Escape and gives focus back.
 *
 * The backdrop is our own element, not Radix's `Overlay`: that one injects a style element to stop scrolling, which the
 * Content-Security-Policy forbids; `main.css` stops scrolling instead.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div
          data-dialog=""
          className="fixed inset-0 z-40 grid animate-appear items-end overflow-y-auto bg-backdrop sm:items-center sm:p-6"
        >
          <Radix.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={cx(
              'z-40 mx-auto w-full animate-rise rounded-t-card bg-raised p-5 shadow-raised sm:rounded-card sm:p-6',
              wide ? 'max-w-3xl' : 'max-w-lg',
            )}
          >
            <div className="flex items-start justify-between gap-4">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label="Close" icon="close" className="-mt-1 -mr-1" />
              </Radix.Close>
            </div>
            {description ? (
              <Radix.Description asChild>
                <div className="mt-1 text-muted">{description}</div>
              </Radix.Description>
            ) : null}
            <div className="mt-5">{children}</div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons that ends a dialog or a form: the decision on the right. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>;
}
