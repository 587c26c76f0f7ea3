/** Caches the application with `build/worker.js` and offers new versions. */
import { t } from '../shared/i18n/en/shell';
import { toast } from '../shared/ui/toast';

export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Fails if the browser blocks storage, as in private windows. The application then needs its server.
  const start = () => void register().catch(() => undefined);
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  // An active worker checks for updates; registering again would keep one that unregisters itself.
  const registration = await (serviceWorker.controller
    ? serviceWorker.getRegistration()
    : serviceWorker.register('/service-worker.js'));
  registration?.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      // No reload after the first installation.
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
