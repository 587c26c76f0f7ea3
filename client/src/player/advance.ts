// Notices that a step is over, by whatever its rule waits for but the buttons of its popover.

import type { Page } from './page';
import { matchesPath } from './path';
import type { PlayAdvance } from './types';

/** Calls `over` at most once, and not after `signal` has aborted. */
export function watchAdvance(
  advance: PlayAdvance,
  element: Element | null,
  page: Page,
  signal: AbortSignal,
  over: () => void,
): void {
  let called = false;
  const once = () => {
    if (called || signal.aborted) return;
    called = true;
    over();
  };
  switch (advance.on) {
    case 'BUTTON':
      return;
    case 'TARGET_CLICK':
      // On the way down, so that it counts whatever the page does with the click.
      element?.addEventListener('click', once, { signal, capture: true });
      return;
    case 'PAGE': {
      const { page: pattern } = advance;
      if (pattern === null) return;
      const look = () => {
        if (matchesPath(pattern, page.path())) once();
      };
      page.onPath(look, signal);
      look();
      return;
    }
    case 'ELEMENT':
      if (advance.selector !== null) page.onElement(advance.selector, once, signal);
      return;
    case 'EVENT': {
      const { event } = advance;
      page.onEvent(told => {
        if (told === event) once();
      }, signal);
      return;
    }
    case 'DELAY': {
      const timer = setTimeout(once, advance.delayMs);
      signal.addEventListener('abort', () => clearTimeout(timer));
      return;
    }
    default:
      advance.on satisfies never;
  }
}

/** Resolves when the page fits the pattern, or when `signal` aborts. */
export function untilPage(pattern: string | null, page: Page, signal: AbortSignal): Promise<void> {
  if (pattern === null || signal.aborted || matchesPath(pattern, page.path())) return Promise.resolve();
  return new Promise(resolve => {
    const done = new AbortController();
    const finish = () => {
      done.abort();
      resolve();
    };
    signal.addEventListener('abort', finish, { signal: done.signal });
    page.onPath(() => {
      if (matchesPath(pattern, page.path())) finish();
    }, done.signal);
  });
}
