/** Around pages that offer to sign in: whoever is signed in, in whichever way or window, goes on to `to` instead. */
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useSession } from './use-session';

export function UnlessSignedIn({ to, children }: { to: string; children: ReactNode }) {
  // A session that has ended stays: signing in is what it needs.
  return useSession().kind === 'signed-in' ? <GoOn to={to} /> : children;
}

function GoOn({ to }: { to: string }) {
  const { history } = useRouter();
  useEffect(() => history.replace(to), [history, to]);
  return null;
}
