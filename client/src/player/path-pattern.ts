// Path patterns, and notifications of path changes without a page load.

/**
 * True if a page, as a path with an optional query, matches a pattern of the schema's format PATH_PATTERN, in which `*`
 * matches any characters. The pattern can have a query: the page must then have each of its parameters, in any order.
 * The server matches pages in the same way (server/waypost/domain/src/run/page.rs).
 */
export function matchesPath(pattern: string, page: string): boolean {
  const [pathPattern, required] = splitQuery(pattern);
  const [path, query] = splitQuery(page);
  const given = query.split('&');
  return (
    matchesText(pathPattern, path) &&
    required.split('&').every(each => each === '' || given.some(parameter => matchesText(each, parameter)))
  );
}

function splitQuery(page: string): [path: string, query: string] {
  const at = page.indexOf('?');
  return at < 0 ? [page, ''] : [page.slice(0, at), page.slice(at + 1)];
}

function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** Calls `listener` when the address changes without a page load, until `signal` aborts. */
export function onAddress(listener: () => void, signal: AbortSignal): void {
  // Without the Navigation API, addresses set by scripts can only be detected by polling.
  const navigation = 'navigation' in window ? (window.navigation as EventTarget) : null;
  if (navigation) {
    navigation.addEventListener('currententrychange', listener, { signal });
    return;
  }
  let lastHref = location.href;
  const check = () => {
    if (location.href === lastHref) return;
    lastHref = location.href;
    listener();
  };
  window.addEventListener('popstate', check, { signal });
  const timer = setInterval(check, 250);
  signal.addEventListener('abort', () => clearInterval(timer));
}
