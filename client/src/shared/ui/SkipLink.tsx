import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Additional skip links. */
export const SKIP_LINKS = 'skip-links';

export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  const container = document.getElementById(SKIP_LINKS);
  if (!container) return null;
  return createPortal(
    <a
      href={`#${to}`}
      className={skipLinkStyle}
      onClick={event => {
        // The address has the state of the screen.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {children}
    </a>,
    container,
  );
}

/** Hidden until focused. */
export const skipLinkStyle =
  'sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-4 focus:py-2';
