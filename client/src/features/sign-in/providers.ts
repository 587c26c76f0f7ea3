/** The identity providers that the server names, and one user manager for each: made once, never by a component. */
import type { Logout, ProviderToken, Renewal, TokenStore } from '../../generated/operations';
import { SafeUserManager } from './safe-user-manager';
import { tokenStores } from './token-store';

/** An OpenID Connect provider, as the operation `Instance` answers. */
export interface Provider {
  id: string;
  name: string;
  issuer: string;
  /** Other spellings of the issuer in its tokens. */
  issuerAliases?: readonly string[];
  clientId: string;
  scope: string;
  resource?: string | null;
  /** Further parameters of the authorization request. */
  parameters?: readonly { name: string; value: string }[];
  /** Where the discovery document is, when not below the issuer: at the token relay of the server. */
  metadataUrl?: string | null;
  /** The token that the server checks. */
  token?: ProviderToken;
  /** What to write before it. */
  tokenPrefix?: string | null;
  /** How a session is renewed without a click, best first. */
  renewals?: readonly Renewal[];
  /** Where signing out ends the session. */
  logout?: Logout;
  /** Whether refresh tokens can be revoked. */
  revocation?: boolean;
  /** Whether its session is watched, so that ending it there ends it here. */
  monitored?: boolean;
  /** Where its tokens are kept. */
  tokenStore?: TokenStore;
}

/** How many seconds before its end an access token is renewed. */
const RENEW_AHEAD = 60;

const managers = new Map<string, SafeUserManager>();

/** The one user manager of a provider. */
export function managerOf(provider: Provider): SafeUserManager {
  const known = managers.get(provider.id);
  if (known) return known;
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
    accessTokenExpiringNotificationTimeInSeconds: RENEW_AHEAD,
    monitorSession: provider.monitored ?? false,
    ...tokenStores(provider.tokenStore ?? 'SESSION'),
  };
  const manager = new SafeUserManager(settings, {
    frame: canRenewInFrame(provider),
    logout: provider.logout ?? 'PROVIDER',
    revocation: provider.revocation ?? true,
    token: provider.token ?? 'ACCESS_TOKEN',
    issuerAliases: provider.issuerAliases ?? [],
  });
  managers.set(provider.id, manager);
  return manager;
}

/** Whether sessions of the provider can be renewed in a hidden frame. */
export function canRenewInFrame(provider: Provider | undefined): boolean {
  return provider?.renewals?.includes('FRAME') ?? true;
}

const CHOICE = 'waypost.provider';

/**
 * The provider that was used last, in this tab or else in this browser. Only its id is kept, and in localStorage too,
 * so that a new tab can ask that provider for a session of its own without a click.
 */
export function rememberedProvider(providers: readonly Provider[]): Provider | null {
  const id = sessionStorage.getItem(CHOICE) ?? localStorage.getItem(CHOICE);
  return providers.find(provider => provider.id === id) ?? null;
}

export function rememberProvider(provider: Provider | null): void {
  for (const storage of [sessionStorage, localStorage]) {
    if (provider) storage.setItem(CHOICE, provider.id);
    else storage.removeItem(CHOICE);
  }
}
