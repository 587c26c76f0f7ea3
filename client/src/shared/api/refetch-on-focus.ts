import { client } from './client';

const STALE_AFTER_MS = 5000;

/** A screen whose refetch fails keeps its data and shows the error. */
export function refetchScreen(): void {
  client.refetchQueries({ include: 'active' }).catch(() => undefined);
}

/** Hidden tabs close subscriptions, so data may be stale after more than five seconds. */
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
