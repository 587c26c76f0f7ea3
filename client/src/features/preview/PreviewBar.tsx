import type { ReactNode } from 'react';
import { ABOVE_TOURS_CLASS } from '../../demo/DemoShop';
import { cx } from '../../shared/lib/class-names';

export const BAR_BUTTON =
  'rounded-md border border-stone-500 px-3 py-1 font-medium whitespace-nowrap hover:bg-stone-700 aria-pressed:bg-white aria-pressed:text-stone-900';

/** The area below the bar, which has a second row on a phone if it has a select. */
export const BELOW_BAR =
  'fixed inset-x-0 top-11 bottom-0 z-50 overflow-auto max-sm:[&:has(~[data-preview-bar]_select)]:top-20';

export const findPreviewBar = (): Element | null => document.querySelector('[data-preview-bar]');

export function PreviewBar({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div
      data-preview-bar
      className={cx(
        ABOVE_TOURS_CLASS,
        'fixed inset-x-0 top-0 flex h-11 items-center gap-3 bg-stone-900 px-4 text-sm text-white max-sm:gap-x-2 max-sm:px-2',
        'max-sm:has-[select]:h-20 max-sm:has-[select]:flex-wrap max-sm:has-[select]:content-evenly max-sm:has-[select]:gap-y-0',
      )}
    >
      <span className="truncate font-medium max-sm:sr-only">{title}</span>
      {children}
    </div>
  );
}
