/**
 * Connects the session to the network layer: providers come by the operation `Instance`, tokens go to every other
 * one.
 */
import { Instance } from '../../generated/documents/Instance';
import { connectAuthSession } from '../../shared/api/auth-session';
import { client } from '../../shared/api/client';
import { clearOfflineCache, allowOfflineCache } from '../../shared/api/offline-cache';
import { accessToken, beginSession, currentPerson, onSignedOut, renewSession } from './session';

let start: Promise<void> | null = null;

/**
 * Starts the session of this tab, once. Rejects, and may be called again, when the server cannot name its providers.
 */
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

const renewed = async () => ((await renewSession()) ? accessToken() : null);

connectAuthSession({
  person: currentPerson,
  // Routes ask for data before the page that starts the session is there, so whoever comes first starts it. Requests
  // that are open to everybody say so (`anonymous`) and do not come here.
  token: async () => {
    await startSession();
    return accessToken() ?? renewed();
  },
  renew: renewed,
});

// Nothing that one person has seen may be shown to the next. RequireSession mounts the screens anew, and they ask anew.
onSignedOut(() => {
  clearOfflineCache();
  void client.clearStore();
});

// Connects itself once for each page: in development, a new version of it needs a new one.
import.meta.hot?.accept(() => window.location.reload());
