import type { Page } from './page';
import { matchesPath } from './path-pattern';
import type { PlayAdvance } from './types';
import { onUseOf } from './use';

/** Calls `onComplete` at most once, and never after `signal` has aborted. */
export function watchAdvance(
  advance: PlayAdvance,
  element: Element | null,
  page: Page,
  signal: AbortSignal,
  onComplete: () => void,
): void {
  let called = false;
  const once = () => {
    if (called || signal.aborted) return;
    called = true;
    onComplete();
  };
  switch (advance.on) {
    case 'BUTTON':
      return;
    case 'TARGET_CLICK':
      if (element) onUseOf(element, once, signal);
      return;
    case 'PAGE': {
      const { page: pattern } = advance;
      if (pattern === null) return;
      const check = () => {
        if (matchesPath(pattern, page.path())) once();
      };
      page.onPath(check, signal);
      check();
      return;
    }
    case 'ELEMENT':
      if (advance.selector !== null) page.onElement(advance.selector, once, signal);
      return;
    case 'EVENT': {
      const { event } = advance;
      page.onEvent(name => {
        if (name === event) once();
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

/** Resolves when the path matches the pattern, or when `signal` aborts. */
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
