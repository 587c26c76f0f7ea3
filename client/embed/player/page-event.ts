/** Dispatched by a page. `detail` is the name. */
export const PAGE_EVENT = 'waypost:event';

/** Dispatched by the embed when the page sets its path. */
export const PATH_EVENT = 'waypost:path';

/** The event of the demo page, and an example. */
export const DEMO_EVENT = 'order_placed';

/** Tours start with it, steps wait for it, and releases have it as a goal. */
export function dispatchPageEvent(name: string): void {
  dispatchEvent(new CustomEvent(PAGE_EVENT, { detail: name }));
}

export const eventSnippet = (name: string): string =>
  `dispatchEvent(new CustomEvent('${PAGE_EVENT}', { detail: '${name}' }))`;
