import { Outlet } from '@tanstack/react-router';
import { Toasts } from '../ui/Toasts';
import { ConnectionBanner } from './ConnectionBanner';

export function RootLayout() {
  return (
    <>
      <ConnectionBanner />
      <Outlet />
      <Toasts />
    </>
  );
}
