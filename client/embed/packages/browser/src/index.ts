// Functions for pages with a bundler. They load the script of the Waypost server and call it when it has loaded.

import type { Identity, InitOptions, Obstacle, TourListener, Waypost } from './types.js';

export type { Identity, InitOptions, Obstacle, TourEvent, TourEventKind, TourListener, Waypost } from './types.js';

/** Does nothing during server rendering. */
function push(call: (waypost: Waypost) => void): void {
  if (typeof window === 'undefined') return;
  // An element with this id is also a property of the window.
  if (typeof window.waypost?.push === 'function') window.waypost.push(call);
  else window.waypost = [call];
}

const loading = new Set<string>();

/** Loads the script of the server, once, and plays the tours of a site. */
export function init({ key, origin }: InitOptions): void {
  push(waypost => waypost.init({ key, origin }));
  if (typeof window === 'undefined' || loading.has(origin)) return;
  loading.add(origin);
  const address = `${origin}/embed/v1.js`;
  // Some browsers delay the page's `load` event until an imported module has loaded, but not until a response has. The
  // module then comes from the cache. A script element with an address from a string is not allowed on a page with
  // Trusted Types.
  fetch(address)
    .then(() => import(/* webpackIgnore: true */ /* @vite-ignore */ address))
    .catch(() => {
      // The server is not available, or the page's policy does not allow its script. The page works without tours.
      loading.delete(origin);
    });
}

export const identify = (externalId: string | null, identity?: Identity): void =>
  push(waypost => waypost.identify(externalId, identity));

export const reset = (): void => push(waypost => waypost.reset());

export const start = (slug: string): void => push(waypost => waypost.start(slug));

export const stop = (): void => push(waypost => waypost.stop());

export const track = (event: string): void => push(waypost => waypost.track(event));

export const setLocale = (locale: string | null): void => push(waypost => waypost.setLocale(locale));

export const setPage = (path: string | null): void => push(waypost => waypost.setPage(path));

export function explain(slug: string): Obstacle | null {
  const waypost = typeof window === 'undefined' ? undefined : window.waypost;
  return waypost && 'explain' in waypost ? waypost.explain(slug) : 'NOT_LOADED';
}

export const on = (listener: TourListener): void => push(waypost => waypost.on(listener));

export const off = (listener: TourListener): void => push(waypost => waypost.off(listener));
