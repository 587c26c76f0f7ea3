/** One user manager per provider, not created by components. */
import type { Logout, ProviderToken, Renewal, TokenStore } from '../../../generated/operations';
import type { KeyStore } from './key-store';
import { SafeUserManager } from './safe-user-manager';
import { tokenStores } from './token-store';

export interface Provider {
  id: string;
  name: string;
  issuer: string;
  issuerAliases?: readonly string[];
  clientId: string;
  scope: string;
  resource?: string | null;
  parameters?: readonly { name: string; value: string }[];
  metadataUrl?: string | null;
  token?: ProviderToken;
  tokenPrefix?: string | null;
  /** The methods of renewal in order of preference. */
  renewals?: readonly Renewal[];
  logout?: Logout;
  revocation?: boolean;
  monitored?: boolean;
  dpop?: boolean;
  tokenStore?: TokenStore;
}

/** Seconds before the expiry of an access token. */
const RENEWAL_LEAD_S = 60;

/** Loaded if tokens of a provider are bound to a key. */
let KeyStoreClass: typeof KeyStore | null = null;

const managers = new Map<string, SafeUserManager>();

/** Must be called before `managerOf`. */
export async function prepareProviders(providers: readonly Provider[]): Promise<void> {
  if (providers.some(({ dpop }) => dpop === true)) KeyStoreClass = (await import('./key-store')).KeyStore;
}

export function managerOf(provider: Provider): SafeUserManager {
  const existing = managers.get(provider.id);
  if (existing) return existing;
  const { origin } = window.location;
  const settings = {
    authority: provider.issuer,
    client_id: provider.clientId,
    scope: provider.scope,
    ...(provider.resource ? { resource: provider.resource } : {}),
    ...(provider.metadataUrl ? { metadataUrl: provider.metadataUrl } : {}),
    extraQueryParams: Object.fromEntries((provider.parameters ?? []).map(({ name, value }) => [name, value])),
    redirect_uri: `${origin}/auth/callback`,
    popup_redirect_uri: `${origin}/auth/popup.html`,
    silent_redirect_uri: `${origin}/auth/silent.html`,
    post_logout_redirect_uri: `${origin}/signed-out`,
    automaticSilentRenew: true,
    accessTokenExpiringNotificationTimeInSeconds: RENEWAL_LEAD_S,
    monitorSession: provider.monitored ?? false,
    ...(provider.dpop === true ? { dpop: { store: keyStoreOf(provider) } } : {}),
    ...tokenStores(provider.tokenStore ?? 'SESSION'),
  };
  const manager = new SafeUserManager(settings, {
    id: provider.id,
    frame: canRenewInFrame(provider),
    logout: provider.logout ?? 'PROVIDER',
    revocation: provider.revocation ?? true,
    token: provider.token ?? 'ACCESS_TOKEN',
    issuerAliases: provider.issuerAliases ?? [],
  });
  managers.set(provider.id, manager);
  return manager;
}

function keyStoreOf({ id, issuer }: Provider) {
  // Tokens would not be bound.
  if (KeyStoreClass === null) throw new Error(`The key store of the provider ${id} is not loaded.`);
  return new KeyStoreClass(issuer);
}

export function canRenewInFrame(provider: Provider | undefined): boolean {
  return provider?.renewals?.includes('FRAME') ?? true;
}

const STORAGE_KEY = 'waypost.provider';

/**
 * Returns the provider that was used last in this tab or else in this browser, so that a new tab can get a session.
 */
export function rememberedProvider(providers: readonly Provider[]): Provider | null {
  const id = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
  return providers.find(provider => provider.id === id) ?? null;
}

/** True if this tab has had a session of the provider, also if its tokens were not stored. */
export function wasUsedInTab(provider: Provider): boolean {
  return sessionStorage.getItem(STORAGE_KEY) === provider.id;
}

export function rememberProvider(provider: Provider | null): void {
  for (const storage of [sessionStorage, localStorage]) {
    if (provider) storage.setItem(STORAGE_KEY, provider.id);
    else storage.removeItem(STORAGE_KEY);
  }
}

const STILL_SIGNED_IN_KEY = 'waypost.still-signed-in';

/** The provider whose session a sign-out of this tab has not ended. */
export function remainingProviderSession(providers: readonly Provider[]): Provider | null {
  const id = sessionStorage.getItem(STILL_SIGNED_IN_KEY);
  return providers.find(provider => provider.id === id) ?? null;
}

export function rememberProviderSession(provider: Provider | null): void {
  if (provider) sessionStorage.setItem(STILL_SIGNED_IN_KEY, provider.id);
  else sessionStorage.removeItem(STILL_SIGNED_IN_KEY);
}
