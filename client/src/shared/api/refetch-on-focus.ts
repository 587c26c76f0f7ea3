/** Somebody comes back to a tab that was hidden for a while: what it shows may be old, and its live streams were closed. */
import { client } from './client';

const OLD_AFTER = 5000;

/** Looks for such returns for as long as the page lives. */
export function refetchOnFocus(): void {
  let hiddenAt = 0;
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now();
    } else if (Date.now() - hiddenAt > OLD_AFTER) {
      // A screen whose refresh fails keeps what it had and says so itself.
      client.refetchQueries({ include: 'active' }).catch(() => undefined);
    }
  });
}
