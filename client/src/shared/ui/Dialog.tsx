/** The implementation is loaded when the first dialog opens. */
import { lazy, Suspense, type ReactNode } from 'react';
import type { DialogProps } from './dialog-parts';

const OpenDialog = lazy(async () => ({ default: (await import('./dialog-parts')).OpenDialog }));

export function Dialog({ open, ...rest }: DialogProps & { open: boolean }) {
  return open ? (
    <Suspense fallback={null}>
      <OpenDialog {...rest} />
    </Suspense>
  ) : null;
}

/** The primary action is on the right. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="decision mt-6 flex flex-wrap justify-end gap-2">{children}</div>;
}
