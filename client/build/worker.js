/*
 * Service worker: caches the application, so that it starts without a server. The page is loaded from the network
 * first, so that an update takes effect on the next start; files with a hash in their name are loaded from the cache
 * first. API and sign-in requests are not intercepted.
 */
const { FILES, CACHE } = self.WAYPOST;
const PAGE = '/';
const files = new Set(FILES);

self.addEventListener('install', event => event.waitUntil(fillCache()));
self.addEventListener('activate', event => event.waitUntil(deleteOtherCaches()));
self.addEventListener('message', ({ data }) => data === 'activate' && self.skipWaiting());
self.addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (files.has(pathname)) event.respondWith(cacheFirst(request));
  else if (request.mode === 'navigate' && request.destination === 'document' && !pathname.startsWith('/auth/'))
    event.respondWith(pageNetworkFirst(event));
});

async function fillCache() {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(PAGE, { cache: 'reload' }), ...FILES]);
}

async function deleteOtherCaches() {
  for (const name of await caches.keys()) if (name.startsWith('waypost-') && name !== CACHE) await caches.delete(name);
}

const cacheFirst = async request => (await caches.match(request.url, { cacheName: CACHE })) ?? fetch(request);

async function pageNetworkFirst(event) {
  const response = await fetch(event.request).catch(() => null);
  // These codes come from a proxy whose server is down.
  if (response && ![502, 503, 504].includes(response.status)) {
    event.waitUntil(unregisterIfRemoved());
    return response;
  }
  return (await caches.match(PAGE, { cacheName: CACHE })) ?? response ?? Response.error();
}

/** Unregisters the worker and deletes its cache if the server no longer provides the worker's script. */
async function unregisterIfRemoved() {
  const response = await fetch(self.location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (response?.status !== 404) return;
  await caches.delete(CACHE);
  await self.registration.unregister();
}
