/**
 * The waiting reviews that this browser has announced, by account and workspace, in `localStorage`. Without it, a review
 * that was requested while no page was open, or while one was loading, would never be announced.
 */

const keyOf = (account: string, workspace: string) => `waypost:announced-reviews:${account}:${workspace}`;

/**
 * Returns the reviews that were not announced yet, and stores `waiting` as announced. Returns none at the first call for
 * an account and workspace, because these reviews may be old.
 */
export function takeUnannounced<Review extends { readonly id: string }>(
  account: string,
  workspace: string,
  waiting: readonly Review[],
): readonly Review[] {
  const key = keyOf(account, workspace);
  const announced = read(key);
  // Reviews that no longer wait are dropped, so that the list stays short.
  localStorage.setItem(key, JSON.stringify(waiting.map(({ id }) => id)));
  return announced === null ? [] : waiting.filter(({ id }) => !announced.includes(id));
}

function read(key: string): readonly unknown[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(stored) ? stored : null;
  } catch {
    return null;
  }
}
