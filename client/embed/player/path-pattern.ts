import { PATH_EVENT } from './page-event';

/**
 * Format PATH_PATTERN, in which `*` matches any characters; the page has an optional query. Both can have a host:
 * `//app.example.com/billing`. Without a path, the pattern matches the whole host; a page without a host, as in a
 * preview, matches every host. A query of the pattern requires each parameter, in any order. Like the server
 * (server/waypost/domain/src/offer/page.rs).
 */
export function matchesPath(pattern: string, page: string): boolean {
  const [, hostPattern, pathPattern, required] = split(pattern);
  const [, host, path, query] = split(page);
  const given = query.split('&');
  return (
    (!host || matchesText((hostPattern || '*').toLowerCase(), host)) &&
    matchesText(pathPattern || '*', path) &&
    required.split('&').every(each => each === '' || given.some(parameter => matchesText(each, parameter)))
  );
}

/** Address, host, path and query. */
const split = (address: string) =>
  /^(?:\/\/([^/?]*))?([^?]*)\??(.*)/.exec(address) as unknown as [string, string | undefined, string, string];

function matchesText(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  let end = first.length;
  const hasParts = parts.every(part => {
    const at = text.indexOf(part, end);
    end = at + part.length;
    return at >= 0;
  });
  return hasParts && text.startsWith(first) && text.endsWith(last) && end + last.length <= text.length;
}

export function onAddress(listener: () => void, signal: AbortSignal): void {
  addEventListener(PATH_EVENT, listener, { signal });
  // Without the Navigation API, addresses set by scripts can only be detected by polling, unless we replace functions of
  // the page. It costs the main thread about 0.5 ms per second.
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) return navigation.addEventListener('currententrychange', listener, { signal });
  let { href } = location;
  const timer = setInterval(() => {
    if (href !== (href = location.href)) listener();
  }, 250);
  signal.addEventListener('abort', () => clearInterval(timer));
}
