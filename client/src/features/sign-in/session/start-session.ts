/** `Instance` returns the providers; other operations have a token. */
import { Instance } from '../../../generated/documents/Instance';
import { connectAuthSession } from '../../../shared/api/auth-session';
import { client } from '../../../shared/api/client';
import { clearOfflineCache, allowOfflineCache } from '../../../shared/api/offline-cache';
import {
  accessToken,
  beginSession,
  currentAccountKey,
  endSession,
  onSignedOut,
  proofOf,
  renewSession,
  signOutAndLeave,
} from './session';

let start: Promise<void> | null = null;

/** Rejects if the providers cannot be loaded, and may then be called again. */
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
  // Loaders may be first. Not for `anonymous` requests.
  token: async () => {
    await startSession();
    return accessToken() ?? renewToken();
  },
  prove: proofOf,
  renew: renewToken,
  // Loaded by then, because the dialog is mounted with each screen.
  stepUp: async requirement => (await import('./step-up')).stepUp(requirement),
  end: endSession,
  signOut: signOutAndLeave,
});

// Of one account only. RequireSession mounts the screens again.
onSignedOut(() => {
  clearOfflineCache();
  void client.clearStore();
});

// This module registers listeners.
import.meta.hot?.accept(() => window.location.reload());
