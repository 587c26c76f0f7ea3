import { paths } from '../../shared/lib/paths';

/**
 * Used if the visitor's page is unknown. Sites with Waypost's address, except Waypost's own, have only the demo page.
 */
export function defaultPage(origins: readonly string[], own: boolean, here: string = location.origin): string {
  const origin = origins[0] ?? here;
  return origin === here && !own ? `${origin}${paths.play}` : `${origin}/`;
}

type Seen = { readonly own: boolean; readonly lastSeenAt: string | null };

/** Returns the site that was seen last, because it has visitors. Waypost's own site is last. */
export const defaultSite = <Known extends Seen>(sites: readonly Known[]): Known | undefined =>
  sites.toSorted((a, b) => Number(a.own) - Number(b.own) || seenAt(b) - seenAt(a))[0];
const seenAt = ({ lastSeenAt }: Seen): number => (lastSeenAt === null ? 0 : Date.parse(lastSeenAt));
