/** Web Locks by which the tabs of a browser coordinate. The browser releases them with the page. */

/** The attempts in which the tab's previous page can release its claim. */
const CLAIM_ATTEMPTS = 6;

const CLAIM_INTERVAL_MS = 100;

/** Null in browsers without Web Locks, and on insecure addresses. */
export function locks(): LockManager | null {
  return navigator.locks ?? null;
}

/**
 * Holds the lock until the page is unloaded. Returns false if another page holds it. No timeout, because a busy browser
 * can take half a second to grant a free lock.
 */
export async function holdLock(name: string, attempts = CLAIM_ATTEMPTS): Promise<boolean> {
  if (await tryLock(name)) return true;
  if (attempts === 1) return false;
  await new Promise(resolve => setTimeout(resolve, CLAIM_INTERVAL_MS));
  return holdLock(name, attempts - 1);
}

async function tryLock(name: string): Promise<boolean> {
  const manager = locks();
  if (!manager) return true;
  return new Promise(resolve => {
    const untilUnload = (lock: Lock | null) => {
      resolve(lock !== null);
      return lock && new Promise<never>(() => {});
    };
    manager.request(name, { ifAvailable: true }, untilUnload).catch(() => resolve(false));
  });
}

/** Holds a lock that several pages may hold. Resolves to the function that releases it, or to null if it is refused. */
export async function shareLock(name: string): Promise<(() => void) | null> {
  const manager = locks();
  if (!manager) return null;
  return new Promise(resolve => {
    const untilReleased = () => new Promise<void>(release => resolve(release));
    manager.request(name, { mode: 'shared' }, untilReleased).catch(() => resolve(null));
  });
}

/** Returns the names of held locks that begin with `prefix`, one for each page. */
export async function heldLocks(prefix: string): Promise<string[]> {
  const { held = [] } = (await locks()?.query()) ?? {};
  return held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name] : []));
}
