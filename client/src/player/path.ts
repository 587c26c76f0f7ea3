// The path of the page: what fits a pattern, and when it changes without the page being loaded anew.

/** Whether a path fits a pattern of the schema's format PATH_PATTERN: `*` stands for any characters. */
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

/** Calls `listener` whenever the address has changed within the page, until `signal` aborts. */
export function onAddress(listener: () => void, signal: AbortSignal): void {
  // The Navigation API tells every change; where it is missing, addresses that scripts set are noticed by looking.
  const navigation = 'navigation' in window ? (window.navigation as EventTarget) : null;
  if (navigation) {
    navigation.addEventListener('currententrychange', listener, { signal });
    return;
  }
  let known = location.href;
  const look = () => {
    if (location.href === known) return;
    known = location.href;
    listener();
  };
  window.addEventListener('popstate', look, { signal });
  const timer = setInterval(look, 250);
  signal.addEventListener('abort', () => clearInterval(timer));
}
