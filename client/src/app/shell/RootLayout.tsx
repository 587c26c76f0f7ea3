import { Outlet } from '@tanstack/react-router';
import { Toasts } from '../../shared/ui/Toasts';
import { ConnectionBanner } from './ConnectionBanner';
import { RouteAnnouncer } from './RouteAnnouncer';

export function RootLayout() {
  return (
    <>
      <ConnectionBanner />
      <Outlet />
      <RouteAnnouncer />
      <Toasts />
    </>
  );
}
