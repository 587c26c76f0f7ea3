import { Outlet, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { AuthRoot } from '../../features/sign-in/screens/AuthRoot';
import { RequireSession } from '../../features/sign-in/screens/RequireSession';

export function SessionRoot() {
  const router = useRouter();
  const onReturn = useCallback((path: string) => router.history.replace(path), [router]);
  return (
    <AuthRoot onReturn={onReturn}>
      <Outlet />
    </AuthRoot>
  );
}

export function SignedIn() {
  return (
    <RequireSession>
      <Outlet />
    </RequireSession>
  );
}
