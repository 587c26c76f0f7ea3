/** Keeps the application on the device by the service worker of `build/worker.js`, and says when a new version is there. */
import { t } from '../shared/i18n/en/shell';
import { toast } from '../shared/ui/toast';

/** Begins when the first screen has all it needs. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Browsers that keep nothing, in private windows for instance, refuse; then the application needs its server.
  const begin = () => void register().catch(() => undefined);
  if (document.readyState === 'complete') begin();
  else window.addEventListener('load', begin, { once: true });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  // A worker that is there already looks for newer ones by itself; registering it again would keep one that wants to go.
  const registration = await (serviceWorker.controller
    ? serviceWorker.getRegistration()
    : serviceWorker.register('/service-worker.js'));
  registration?.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      // The first one of this device is no news.
      if (next.state === 'installed' && registration.active) offerReload(next);
    });
  });
}

function offerReload(next: ServiceWorker): void {
  const run = () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has its own origin only
    next.postMessage('activate');
    next.addEventListener('statechange', () => next.state === 'activated' && window.location.reload());
  };
  toast(t.frame.newVersion, { action: { label: t.frame.reload, run } });
}
