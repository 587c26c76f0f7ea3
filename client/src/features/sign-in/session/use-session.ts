/** The server returns roles (`viewer`). */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useAuth } from 'react-oidc-context';
import { useViewerQuery } from '../../../generated/hooks';
import { client } from '../../../shared/api/client';
import { accountKeyOf } from '../oidc/account-key';
import { canRenewInFrame } from '../oidc/providers';
import type { SignInProblem } from '../oidc/sign-in-problem';
import { activeProvider, onSessionChanged, sessionProblem } from './session';
import type { AccountNames } from './userinfo';

export interface SessionAccount {
  /** Stable across sign-ins. */
  id: string;
  subject: string;
  /** Null if the ID token has none. See `useAccountNames`. */
  name: string | null;
  email: string | null;
  provider: string;
}

export type Session =
  | { kind: 'loading' }
  | { kind: 'signed-out'; problem: SignInProblem | null }
  | {
      /** `ended`: expired and not renewed, so the server rejects all requests. */
      kind: 'signed-in' | 'ended';
      account: SessionAccount;
      endsAt: Date;
      /** If the session renews automatically. */
      renewsAt: Date;
      hasRefreshToken: boolean;
      renewsInFrame: boolean;
      problem: SignInProblem | null;
    };

export type AccountSession = Extract<Session, { account: unknown }>;

export function useSession(): Session {
  const { user, isLoading } = useAuth();
  const problem = useSyncExternalStore(onSessionChanged, sessionProblem);
  const expired = useSyncExternalStore(onExpiry, () => user?.expired === true);
  if (user) {
    const expiresAt = user.expires_at ?? 0;
    const { sub, name, preferred_username, email } = user.profile;
    return {
      kind: expired ? 'ended' : 'signed-in',
      account: {
        id: accountKeyOf(user),
        subject: sub,
        name: name || preferred_username || email || null,
        email: email ?? null,
        provider: activeProvider()?.provider.name ?? '',
      },
      endsAt: new Date(expiresAt * 1000),
      renewsAt: new Date((expiresAt - (activeProvider()?.manager.renewalLead ?? 0)) * 1000),
      hasRefreshToken: user.refresh_token !== undefined,
      renewsInFrame: canRenewInFrame(activeProvider()?.provider),
      problem,
    };
  }
  return isLoading ? { kind: 'loading' } : { kind: 'signed-out', problem };
}

/**
 * Returns the names of the account in the ID token, or else the name that the server knows. Only if neither has a name,
 * the browser requests userinfo.
 */
export function useAccountNames({ id, name, email, subject }: SessionAccount): AccountNames {
  const { data } = useViewerQuery({ client, skip: name !== null });
  const known = name ?? data?.viewer.account.name ?? null;
  // The server uses the subject for accounts without a name.
  const isUnknown = known === subject;
  const userinfo = useUserinfoNames(id, isUnknown);
  return isUnknown ? userinfo : { name: known, email };
}

const NO_NAMES: AccountNames = { name: null, email: null };

function useUserinfoNames(id: string, isNeeded: boolean): AccountNames {
  const [found, setFound] = useState<{ id: string; names: AccountNames } | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    // Without a name, the menu remains usable, so a failure needs no message.
    void import('./userinfo')
      .then(({ requestNames }) => requestNames(id))
      .then(names => setFound({ id, names }))
      .catch(() => undefined);
  }, [id, isNeeded]);
  // The names may be those of the account that was signed in before.
  return found?.id === id ? found.names : NO_NAMES;
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
