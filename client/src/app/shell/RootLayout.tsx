import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Toasts } from '../../shared/ui/Toasts';
import { ConnectionBanner } from './ConnectionBanner';
import { DemoBanner } from './DemoBanner';

export function RootLayout() {
  return (
    <>
      <Banners />
      <Outlet />
      <RouteAnnouncer />
      <Toasts />
    </>
  );
}

/** Other sticky elements start below the banners, whose texts wrap on narrow screens. */
function Banners() {
  const banners = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!banners.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) document.documentElement.style.setProperty('--banner-height', `${entry.contentRect.height}px`);
    });
    observer.observe(banners.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={banners} className="sticky top-0 z-30">
      <DemoBanner />
      <ConnectionBanner />
    </div>
  );
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
