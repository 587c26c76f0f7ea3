import { paths } from '../../shared/lib/paths';

/**
 * The page that a question begins with where nothing says which one somebody was on: the first of the site. At Waypost's
 * own address other sites have only the demo page.
 */
export function defaultPage(origins: readonly string[], own: boolean, here: string = location.origin): string {
  const origin = origins[0] ?? here;
  return origin === here && !own ? `${origin}${paths.play}` : `${origin}/`;
}

type Seen = { readonly own: boolean; readonly lastSeenAt: string | null };

/** The site that was heard of last, before Waypost's own: who looks for people looks where people are. */
export const defaultSite = <Known extends Seen>(sites: readonly Known[]): Known | undefined =>
  sites.toSorted((a, b) => Number(a.own) - Number(b.own) || seenAt(b) - seenAt(a))[0];
const seenAt = ({ lastSeenAt }: Seen): number => (lastSeenAt === null ? 0 : Date.parse(lastSeenAt));
