import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';

/** Links in `tabStyle`. Scrolls horizontally. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const tabs = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const open = [...(tabs.current?.querySelectorAll('a') ?? [])].find(each => each.pathname === pathname);
    open?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav
      ref={tabs}
      aria-label={label}
      className="scroll-edges -mx-4 mt-2 overflow-x-auto overflow-y-hidden [--shadow-card:0_0_transparent] sm:-mx-1"
    >
      <div className="flex w-max min-w-full gap-1 px-3 [box-shadow:inset_0.75rem_0_var(--color-surface),inset_-0.75rem_0_var(--color-surface)] sm:px-0">
        {children}
      </div>
    </nav>
  );
}

export const tabStyle =
  '-mb-px inline-flex min-h-10 items-center gap-2 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted hover:text-ink data-[status=active]:border-brand data-[status=active]:text-ink';
