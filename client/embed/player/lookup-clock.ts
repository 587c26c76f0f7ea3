// Timeouts of coming elements run at the same time, so that a visitor never waits for one after the other.

import type { Page } from './page';

export interface LookupClock {
  /** The page may render other elements. */
  restart(): void;
  /** Returns the remaining time in milliseconds. */
  remaining(waitMs: number): number;
  /** The use was a command of the popover. */
  ignoreUse(): void;
}

export function lookupClock(page: Page, signal: AbortSignal): LookupClock {
  let since = performance.now();
  let use: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    since = performance.now();
  };
  const ignoreUse = () => clearTimeout(use);
  page.onPath(restart, signal);
  page.onUse(() => {
    ignoreUse();
    // A button's command follows in the same task.
    use = setTimeout(restart);
  }, signal);
  signal.addEventListener('abort', ignoreUse);
  return { restart, ignoreUse, remaining: waitMs => Math.max(0, waitMs - (performance.now() - since)) };
}
