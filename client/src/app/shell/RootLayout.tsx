import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Toasts } from '../../shared/ui/Toasts';
import { ConnectionBanner } from './ConnectionBanner';

// Not in the budget of the first screen, because few installations are demos.
const DemoBanner = lazy(async () => ({ default: (await import('./DemoBanner')).DemoBanner }));

export function RootLayout() {
  return (
    <>
      <div ref={measureBanners} className="sticky top-0 z-30">
        <Suspense>
          <DemoBanner />
        </Suspense>
        <ConnectionBanner />
      </div>
      <Outlet />
      <RouteAnnouncer />
      <Toasts />
    </>
  );
}

/** Other sticky elements start below the banners, whose texts wrap on narrow screens. */
function measureBanners(banners: HTMLDivElement) {
  const observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--banner-height', `${banners.offsetHeight}px`),
  );
  observer.observe(banners);
  return () => observer.disconnect();
}

/** Browsers announce titles only for full page loads. */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  return (
    <p aria-live="polite" className="sr-only">
      <Title key={pathname} />
    </p>
  );
}

function Title() {
  const [title, setTitle] = useState('');
  useEffect(() => {
    // The screen sets the title shortly after the address changed.
    const timer = window.setTimeout(() => setTitle(document.title), 500);
    return () => window.clearTimeout(timer);
  }, []);
  return title;
}
