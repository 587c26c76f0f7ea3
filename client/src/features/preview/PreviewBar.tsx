import type { ReactNode } from 'react';
import { ABOVE_TOURS_CLASS } from '../../demo/DemoShop';
import { cx } from '../../shared/lib/class-names';

export const BAR_BUTTON =
  'rounded-md border border-stone-500 px-3 py-1 font-medium whitespace-nowrap hover:bg-stone-700 aria-pressed:bg-white aria-pressed:text-stone-900';

export function PreviewBar({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div
      data-preview-bar
      className={cx(
        ABOVE_TOURS_CLASS,
        'fixed inset-x-0 top-0 flex h-11 items-center gap-3 bg-stone-900 px-4 max-sm:gap-2 max-sm:px-2 text-sm text-white',
      )}
    >
      <span className="font-medium whitespace-nowrap max-sm:sr-only">{title}</span>
      {children}
    </div>
  );
}
