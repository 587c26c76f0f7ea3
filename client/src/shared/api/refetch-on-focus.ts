/** Data may be stale. */
import { client } from './client';

const STALE_AFTER_MS = 5000;

/** Refetches active queries. A screen whose refetch fails keeps its data and shows the error. */
export function refetchScreen(): void {
  client.refetchQueries({ include: 'active' }).catch(() => undefined);
}

/**
 * Refetches active queries when the tab becomes visible after more than five seconds, because its subscriptions
 * were closed.
 */
export function refetchOnFocus(): void {
  let hiddenAt = 0;
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now();
    } else if (Date.now() - hiddenAt > STALE_AFTER_MS) {
      refetchScreen();
    }
  });
}
