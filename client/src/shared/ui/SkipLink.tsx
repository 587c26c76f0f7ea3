import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Where the frame of a workspace takes further links, after the one to the content. */
export const SKIP_LINKS = 'skip-links';

/** A link among the first of the page, seen when the focus is on it, that leads over everything else to one control. */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  const place = document.getElementById(SKIP_LINKS);
  if (!place) return null;
  return createPortal(
    <a
      href={`#${to}`}
      className={skipLinkStyle}
      onClick={event => {
        // The address stays: it names the screen and what is chosen there.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {children}
    </a>,
    place,
  );
}

/** Out of sight until the focus is on it. */
export const skipLinkStyle =
  'sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-4 focus:py-2';
