/** What a component may know about the session. The person's role is not among it: the server says it (`viewer`). */
import { useSyncExternalStore } from 'react';
import { useAuth } from 'react-oidc-context';
import { canRenewInFrame } from './providers';
import { activeProvider, onSessionChanged, personOf, sessionProblem } from './session';
import type { SignInProblem } from './sign-in-problem';

export interface Person {
  /** Different for everybody, and the same at every sign-in. */
  id: string;
  name: string;
  email: string | null;
  /** The name of the provider that vouches for the person. */
  provider: string;
}

export type Session =
  | { kind: 'loading' }
  | { kind: 'signed-out'; problem: SignInProblem | null }
  | {
      /** `ended`: the access token has expired and no new one could be had, so the server refuses everything. */
      kind: 'signed-in' | 'ended';
      person: Person;
      /** When the access token ends. */
      endsAt: Date;
      hasRefreshToken: boolean;
      /** Whether the provider renews sessions in a hidden frame. */
      renewsInFrame: boolean;
      /** Why the session cannot be renewed, or null. */
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
      person: {
        id: personOf(user),
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

/** react-oidc-context takes an expired token for a valid one, so this listens itself. */
function onExpiry(callback: () => void): () => void {
  const events = activeProvider()?.manager.events;
  events?.addAccessTokenExpired(callback);
  events?.addUserLoaded(callback);
  return () => {
    events?.removeAccessTokenExpired(callback);
    events?.removeUserLoaded(callback);
  };
}
