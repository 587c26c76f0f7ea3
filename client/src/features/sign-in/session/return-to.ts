/** Paths to return to after signing in. Only paths of this application are allowed, to prevent open redirects. */

/** Pages that start a sign-in. Returning to one would cause a loop. */
const SIGN_IN_PATHS = ['/auth/', '/signed-out', '/sign-in'];

/** Returns "/" if the candidate is not a path of this application. */
export function safePath(candidate: unknown, origin = window.location.origin): string {
  if (typeof candidate !== 'string' || !candidate.startsWith('/') || isAmbiguous(candidate)) return '/';
  const url = URL.parse(candidate, origin);
  // "/.//host" becomes "//host".
  if (url?.origin !== origin || url.pathname.startsWith('//')) return '/';
  if (SIGN_IN_PATHS.some(path => url.pathname.startsWith(path))) return '/';
  return url.pathname + url.search + url.hash;
}

/** True if the path has a second slash, a backslash or a control character. */
function isAmbiguous(path: string): boolean {
  return (
    path.startsWith('//') ||
    [...path].some(character => character === '\\' || character < ' ' || character === '\u007f')
  );
}

export function currentPath(): string {
  const { pathname, search, hash } = window.location;
  return safePath(pathname + search + hash);
}

const STORAGE_KEY = 'waypost.return-to';

/** Used if the callback page is reloaded. Null removes the path. */
export function saveReturnPath(path: string | null): void {
  if (path === null) sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, path);
}

export function savedReturnPath(): string {
  return safePath(sessionStorage.getItem(STORAGE_KEY));
}
