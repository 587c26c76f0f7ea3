// Path patterns, and notifications of path changes without a page load.

/** True if the path matches a pattern of the schema's format PATH_PATTERN, in which `*` matches any characters. */
export function matchesPath(pattern: string, path: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return path === pattern;
  if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last)) return false;
  const end = path.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = path.indexOf(part, from);
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
