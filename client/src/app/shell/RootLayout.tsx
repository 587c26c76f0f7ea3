import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Toasts } from '../../shared/ui/Toasts';
import { ConnectionBanner } from './ConnectionBanner';
import { DemoBanner } from './DemoBanner';

export function RootLayout() {
  return (
    <>
      <div className="sticky top-0 z-30">
        <DemoBanner />
        <ConnectionBanner />
      </div>
      <Outlet />
      <RouteAnnouncer />
      <Toasts />
    </>
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
