/** The state of the session for components. Roles are not part of it, because the server returns them (`viewer`). */
import { useSyncExternalStore } from 'react';
import { useAuth } from 'react-oidc-context';
import { canRenewInFrame } from './providers';
import { activeProvider, onSessionChanged, accountKeyOf, sessionProblem } from './session';
import type { SignInProblem } from './sign-in-problem';

export interface SessionAccount {
  /** Unique, and stable across sign-ins. */
  id: string;
  name: string;
  email: string | null;
  provider: string;
}

export type Session =
  | { kind: 'loading' }
  | { kind: 'signed-out'; problem: SignInProblem | null }
  | {
      /** `ended`: the access token has expired and could not be renewed, so the server rejects all requests. */
      kind: 'signed-in' | 'ended';
      account: SessionAccount;
      endsAt: Date;
      hasRefreshToken: boolean;
      renewsInFrame: boolean;
      problem: SignInProblem | null;
    };

export function useSession(): Session {
  const { user, isLoading } = useAuth();
  const problem = useSyncExternalStore(onSessionChanged, sessionProblem);
  const expired = useSyncExternalStore(onExpiry, () => user?.expired === true);
  if (user) {
    const { name, preferred_username, email, sub } = user.profile;
    return {
      kind: expired ? 'ended' : 'signed-in',
      account: {
        id: accountKeyOf(user),
        name: name ?? preferred_username ?? email ?? sub,
        email: email ?? null,
        provider: activeProvider()?.provider.name ?? '',
      },
      endsAt: new Date((user.expires_at ?? 0) * 1000),
      hasRefreshToken: user.refresh_token !== undefined,
      renewsInFrame: canRenewInFrame(activeProvider()?.provider),
      problem,
    };
  }
  return isLoading ? { kind: 'loading' } : { kind: 'signed-out', problem };
}

/** Listens for the expiry of the token, because react-oidc-context treats an expired token as valid. */
function onExpiry(callback: () => void): () => void {
  const events = activeProvider()?.manager.events;
  events?.addAccessTokenExpired(callback);
  events?.addUserLoaded(callback);
  return () => {
    events?.removeAccessTokenExpired(callback);
    events?.removeUserLoaded(callback);
  };
}
