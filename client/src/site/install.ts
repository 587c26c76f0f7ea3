/** What a page needs to play the tours of a site. */
export const installSnippet = (origin: string, key: string): string =>
  `<script async src="${origin}/embed/v1.js" data-key="${key}"></script>`;

export type Installation = 'never' | 'quiet' | 'live';

/** A page was heard of within this time: somebody is on the site now. */
const LIVE_FOR = 2 * 60_000;

export function installation(site: { lastSeenAt: string | null }, now: number): Installation {
  if (!site.lastSeenAt) return 'never';
  return now - new Date(site.lastSeenAt).getTime() < LIVE_FOR ? 'live' : 'quiet';
}
