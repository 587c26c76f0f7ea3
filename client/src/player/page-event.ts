/** The DOM event by which a page says that something has happened; its `detail` is the name. */
export const PAGE_EVENT = 'waypost:event';

/** What the demo page tells of, and an example of a name. */
export const DEMO_EVENT = 'order_placed';

/** Says that something has happened: tours may begin with it, steps may wait for it, and it may be the goal of a release. */
export function dispatchPageEvent(name: string): void {
  window.dispatchEvent(new CustomEvent(PAGE_EVENT, { detail: name }));
}

/** The line of a page's own script that says so. */
export const eventSnippet = (name: string): string =>
  `dispatchEvent(new CustomEvent('${PAGE_EVENT}', { detail: '${name}' }))`;
