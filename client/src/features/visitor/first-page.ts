import { paths } from '../../shared/lib/paths';

/**
 * The page that a question begins with where nothing says which one somebody was on: the first of the site. At Waypost's
 * own address other sites have only the demo page.
 */
export function firstPage(origins: readonly string[], own: boolean, here: string = location.origin): string {
  const origin = origins[0] ?? here;
  return origin === here && !own ? `${origin}${paths.play}` : `${origin}/`;
}
