/*
 * The service worker: keeps the application on the device, so that it opens again when no server answers. Pages come from the server as
 * long as it answers, so an update is there at the next start; files with a hash in their name come from the device. Neither data nor
 * anything about signing in passes through here.
 */
const { FILES, CACHE } = self.WAYPOST;
const PAGE = '/';
const files = new Set(FILES);

self.addEventListener('install', event => event.waitUntil(keep()));
self.addEventListener('activate', event => event.waitUntil(forgetOthers()));
self.addEventListener('message', ({ data }) => data === 'activate' && self.skipWaiting());
self.addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (files.has(pathname)) event.respondWith(kept(request));
  else if (request.mode === 'navigate' && request.destination === 'document' && !pathname.startsWith('/auth/'))
    event.respondWith(page(event));
});

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(PAGE, { cache: 'reload' }), ...FILES]);
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name.startsWith('waypost-') && name !== CACHE) await caches.delete(name);
}

const kept = async request => (await caches.match(request.url, { cacheName: CACHE })) ?? fetch(request);

async function page(event) {
  const answer = await fetch(event.request).catch(() => null);
  if (answer && ![502, 503, 504].includes(answer.status)) {
    event.waitUntil(leaveWithServer());
    return answer;
  }
  return (await caches.match(PAGE, { cacheName: CACHE })) ?? answer ?? Response.error();
}

/** A server that has no worker any more wants none: it goes, with all that it kept. */
async function leaveWithServer() {
  const answer = await fetch(self.location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer?.status !== 404) return;
  await caches.delete(CACHE);
  await self.registration.unregister();
}
