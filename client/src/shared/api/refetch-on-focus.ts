/** Refetches the queries of a tab that was hidden, because its data may be stale and its subscriptions were closed. */
import { client } from './client';

const STALE_AFTER_MS = 5000;

/** Refetches active queries when the tab becomes visible after more than five seconds. */
export function refetchOnFocus(): void {
  let hiddenAt = 0;
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now();
    } else if (Date.now() - hiddenAt > STALE_AFTER_MS) {
      // A screen whose refetch fails keeps its data and shows the error.
      client.refetchQueries({ include: 'active' }).catch(() => undefined);
    }
  });
}
