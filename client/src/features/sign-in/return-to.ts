/**
 * Where a sign-in leads back to. Only paths of this application: a foreign address would make it an open redirector.
 */

/** Pages that lead to a sign-in themselves; going back to one would go in circles. */
const LOOPS = ['/auth/', '/signed-out', '/sign-in'];

/** A path of this application, with its query and fragment; "/" for everything else. */
export function safePath(candidate: unknown, origin = window.location.origin): string {
  if (typeof candidate !== 'string' || !candidate.startsWith('/') || hasTrick(candidate)) return '/';
  const url = URL.parse(candidate, origin);
  // Dot segments are gone from the parsed path, and what they hid may now begin it: "/.//host" has become "//host".
  if (url?.origin !== origin || url.pathname.startsWith('//') || LOOPS.some(loop => url.pathname.startsWith(loop)))
    return '/';
  return url.pathname + url.search + url.hash;
}

/** Browsers read a second slash, a backslash or a control character as something else than a part of a path. */
function hasTrick(path: string): boolean {
  return (
    path.startsWith('//') ||
    [...path].some(character => character === '\\' || character < ' ' || character === '\u007f')
  );
}

/** The path of the page that is open now. */
export function currentPath(): string {
  const { pathname, search, hash } = window.location;
  return safePath(pathname + search + hash);
}

const KEPT = 'waypost.return-to';

/** Keeps where a full-page sign-in leads back to, for a page that is reloaded before it has taken the answer. Null forgets it. */
export function keepReturn(path: string | null): void {
  if (path === null) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, path);
}

/** Where a full-page sign-in that was begun and not finished leads back to; "/" where there is none. */
export function keptReturn(): string {
  return safePath(sessionStorage.getItem(KEPT));
}
