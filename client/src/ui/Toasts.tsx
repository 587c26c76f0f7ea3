import { Toast as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { cx } from '../lib/class-names';
import { currentToasts, dismissToast, subscribeToasts } from './toast';
import { IconButton } from './Button';

/** Shows the notices of `toast()`. F8 moves focus to them; they wait while the pointer or the focus is on them. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts);
  return (
    <Radix.Provider duration={6000} swipeDirection="down">
      {toasts.map(each => (
        <Radix.Root
          key={each.id}
          type={each.tone === 'danger' ? 'foreground' : 'background'}
          onOpenChange={open => {
            if (!open) dismissToast(each.id);
          }}
          className={cx(
            'flex animate-rise items-center gap-3 rounded-card py-2 pr-2 pl-4 shadow-raised',
            each.tone === 'danger' ? 'border border-danger bg-danger-soft text-ink' : 'bg-ink text-paper',
          )}
        >
          <Radix.Description className="grow">{each.text}</Radix.Description>
          {each.action ? (
            <Radix.Action
              altText={each.action.label}
              onClick={each.action.run}
              className="rounded-control px-2.5 py-1 font-semibold underline underline-offset-4"
            >
              {each.action.label}
            </Radix.Action>
          ) : null}
          <Radix.Close asChild>
            <IconButton label="Dismiss" icon="close" className="text-current hover:bg-transparent" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed inset-x-3 bottom-3 z-50 grid gap-2 sm:left-auto sm:w-96" />
    </Radix.Provider>
  );
}
