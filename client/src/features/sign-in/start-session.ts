/**
 * Connects the session to the network layer: the operation `Instance` returns the providers, and all other operations
 * are sent with a token.
 */
import { Instance } from '../../generated/documents/Instance';
import { connectAuthSession } from '../../shared/api/auth-session';
import { client } from '../../shared/api/client';
import { clearOfflineCache, allowOfflineCache } from '../../shared/api/offline-cache';
import {
  accessToken,
  beginSession,
  currentAccountKey,
  endSession,
  onSignedOut,
  renewSession,
  signOutAndLeave,
} from './session';
import { stepUp } from './step-up';

let start: Promise<void> | null = null;

/** Starts the session of this tab once. Rejects if the providers cannot be loaded, and may then be called again. */
export function startSession(): Promise<void> {
  start ??= begin().catch((error: unknown) => {
    start = null;
    throw error;
  });
  return start;
}

async function begin(): Promise<void> {
  const { data } = await client.query({ query: Instance, context: { anonymous: true } });
  const { providers = [], tokenStore = 'SESSION' } = data?.instance ?? {};
  allowOfflineCache(tokenStore === 'SESSION');
  await beginSession(providers.map(provider => ({ ...provider, tokenStore })));
}

const renewToken = async () => ((await renewSession()) ? accessToken() : null);

connectAuthSession({
  accountKey: currentAccountKey,
  // Loaders of routes may request a token before AuthRoot is mounted, so the first caller starts the session. Requests
  // with `anonymous` in their context do not request a token.
  token: async () => {
    await startSession();
    return accessToken() ?? renewToken();
  },
  renew: renewToken,
  stepUp,
  end: endSession,
  signOut: signOutAndLeave,
});

// Data of one account must not be shown to another. RequireSession mounts the screens again, which then fetch their
// data.
onSignedOut(() => {
  clearOfflineCache();
  void client.clearStore();
});

// This module registers listeners, so reload the page when it changes during development.
import.meta.hot?.accept(() => window.location.reload());
