/** How lively a site is, from when one of its pages was heard of last. */
export type Installation = 'never' | 'quiet' | 'live';

/** A page was heard of within this time: somebody is on the site now. */
const LIVE_FOR = 2 * 60_000;

export function installation(site: { lastSeenAt: string | null }, now: number): Installation {
  if (!site.lastSeenAt) return 'never';
  return now - new Date(site.lastSeenAt).getTime() < LIVE_FOR ? 'live' : 'quiet';
}
