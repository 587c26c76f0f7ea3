import type { ReactNode } from 'react';
import { cx } from '../lib/class-names';

/** The place of a screen beside the navigation, and of what stands there instead: no wider than can be read. */
export const PAGE_FRAME = 'mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-9';

/** The frame of a screen: its one heading, what it is for, and its main actions. */
export function Page({
  title,
  description,
  actions,
  above,
  children,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={cx(PAGE_FRAME, 'grid grid-cols-[minmax(0,1fr)] gap-6')}>
      <div className="grid gap-1">
        {above}
        <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-72">
            <h1 className="text-2xl font-semibold tracking-tight break-words">{title}</h1>
            {description ? <p className="mt-1 max-w-2xl text-muted">{description}</p> : null}
          </div>
          {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
        </header>
      </div>
      {children}
    </div>
  );
}
