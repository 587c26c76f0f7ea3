/** The DOM event that a page dispatches to report an event. Its `detail` is the event's name. */
export const PAGE_EVENT = 'waypost:event';

/** The event of the demo page, also used as an example of a name. */
export const DEMO_EVENT = 'order_placed';

/** Reports an event. Tours may start with it, steps may wait for it, and it may be the goal of a release. */
export function dispatchPageEvent(name: string): void {
  window.dispatchEvent(new CustomEvent(PAGE_EVENT, { detail: name }));
}

/** Returns the line of script with which a page reports the event. */
export const eventSnippet = (name: string): string =>
  `dispatchEvent(new CustomEvent('${PAGE_EVENT}', { detail: '${name}' }))`;
