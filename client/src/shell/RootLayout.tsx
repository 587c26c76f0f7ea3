import { Outlet } from '@tanstack/react-router';
import { ConnectionBanner } from './ConnectionBanner';
import { Toasts } from '../ui/Toasts';
import { TooltipProvider } from '../ui/Tooltip';

export function RootLayout() {
  return (
    <TooltipProvider>
      <ConnectionBanner />
      <Outlet />
      <Toasts />
    </TooltipProvider>
  );
}
