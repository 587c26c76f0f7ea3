// Measures how long the elements of all coming steps have been awaited. Their timeouts run at the same time, also while
// an earlier step is shown, so that a visitor never waits for one missing element after the other.

import type { Page } from './page';

export interface LookupClock {
  /** Starts all timeouts again, because the page may render other elements from now on. */
  restart(): void;
  /** Returns the part of the timeout that is left, in milliseconds. */
  remaining(waitMs: number): number;
  /** Discards the visitor's last use of the page if it turns out to be a command of the popover. */
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
    // A click on a button of the popover sends its command in the same task.
    use = setTimeout(restart);
  }, signal);
  signal.addEventListener('abort', ignoreUse);
  return { restart, ignoreUse, remaining: waitMs => Math.max(0, waitMs - (performance.now() - since)) };
}
