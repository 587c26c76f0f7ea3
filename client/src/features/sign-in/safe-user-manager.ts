/**
 * Extends `UserManager` of oidc-client-ts 3.5. Each numbered addition below was required by a provider or a race.
 * Overrides protected members, so package.json pins the version and a test fails if one no longer exists.
 */
/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import {
  type CreateSigninRequestArgs,
  ErrorResponse,
  ErrorTimeout,
  type IWindow,
  type SigninResponse,
  type SigninSilentArgs,
  User,
  UserManager,
  type UserManagerSettings,
  type UseRefreshTokenArgs,
} from 'oidc-client-ts';
import type { Logout, ProviderToken } from '../../generated/operations';
import type { ProvenRequest, StepUpRequirement } from '../../shared/api/auth-session';
import { t } from '../../shared/i18n/en/auth';
import { fetchWithTimeout, jsonServiceOf, REQUEST_TIMEOUT_S } from './fetch-with-timeout';
import { claimsOf, headerOf, IdTokenError, OtherAccountError, problemOfIdToken, problemOfResponse } from './id-token';
import { KeyError } from './key-store';
import { type Availability, CorsError, unavailableError, withNetworkCause } from './network-cause';
import { watchFrame, watchWindow } from './watch-window';

/** For the tab's previous page to release its claim. */
const CLAIM_ATTEMPTS = 6;

const CLAIM_INTERVAL_MS = 100;

/** Its content does not matter. */
const PROBE_TIMEOUT_MS = 2000;

const SIGN_OUT_WINDOW_TIMEOUT_MS = 60_000;

/** Seconds before the expiry, in the library. */
const RENEWAL_LEAD_FIELD = '_expiringNotificationTimeInSeconds';

/** The library's types lack this parameter, its hint for silent requests. */
const WITHOUT_HINT: object = { id_token_hint: undefined };

export interface Capabilities {
  /** Id of the provider in requests to the server. */
  id: string;
  frame: boolean;
  logout: Logout;
  revocation: boolean;
  /** Sent to the server. */
  token: ProviderToken;
  issuerAliases: readonly string[];
}

/** A frame has loaded a page instead of a response: a form, or a temporary error, which this page cannot distinguish. */
export class FrameError extends ErrorResponse {}

const DEFAULT_CAPABILITIES: Capabilities = {
  id: 'oidc',
  frame: true,
  logout: 'PROVIDER',
  revocation: true,
  token: 'ACCESS_TOKEN',
  issuerAliases: [],
};

export class SafeUserManager extends UserManager {
  #renewal: Promise<User | null> | null = null;
  #claim: Promise<'owner' | 'copy'> | null = null;
  readonly #capabilities: Capabilities;
  #windowLost: () => void = () => {};
  /** May sign in in the window; null for any. */
  #windowSubject: string | null = null;

  constructor(settings: UserManagerSettings, capabilities: Partial<Capabilities> = {}) {
    super({
      // session.ts retries.
      maxSilentRenewTimeoutRetries: 0,
      requestTimeoutInSeconds: REQUEST_TIMEOUT_S,
      silentRequestTimeoutInSeconds: REQUEST_TIMEOUT_S,
      // Some providers reject silent requests without it.
      includeIdTokenInSilentRenew: true,
      // Providers reject the revocation of JWTs, and the library then fails.
      revokeTokenTypes: ['refresh_token'],
      // Userinfo rejects tokens of a resource.
      loadUserInfo: false,
      // Needs third-party cookies.
      monitorSession: false,
      ...settings,
    });
    this.#capabilities = { ...DEFAULT_CAPABILITIES, ...capabilities };
    this.#limitRenewalLead();
    this.#replaceFetch();
  }

  /** (10) The original has no timeout for bodies and renewals, and checks the content type before the status. */
  #replaceFetch(): void {
    const refreshClient: unknown = Reflect.get(this._client, '_tokenClient');
    const codeClient: unknown = Reflect.get(Reflect.get(this._client, '_validator') as object, '_tokenClient');
    for (const service of [this.metadataService, refreshClient, codeClient]) {
      Reflect.set(jsonServiceOf(service), 'fetchWithTimeout', fetchWithTimeout);
    }
  }

  /** (8) At most a third of a token's life, or a one-minute token would be renewed every second. */
  #limitRenewalLead(): void {
    const events = this._events;
    const maxLead = this.settings.accessTokenExpiringNotificationTimeInSeconds;
    const load = events.load.bind(events);
    events.load = (user, raiseEvent) => {
      Reflect.set(events, RENEWAL_LEAD_FIELD, Math.min(maxLead, (user.expires_in ?? 0) / 3));
      return load(user, raiseEvent);
    };
  }

  /** Seconds between the automatic renewal of the current token and its expiry. */
  get renewalLead(): number {
    return Number(Reflect.get(this._events, RENEWAL_LEAD_FIELD));
  }

  /**
   * Browsers do not distinguish a closed window from one with a Cross-Origin-Opener-Policy. `again` requires a recent
   * sign-in of one account.
   */
  async signInByWindow(signal: AbortSignal, onLost: () => void, again?: SignInAgain): Promise<User> {
    this.#windowLost = onLost;
    this.#windowSubject = again?.subject ?? null;
    const { maxAge, acrValues, forced = false } = again ?? {};
    return this.signinPopup({
      popupSignal: signal,
      ...(maxAge === undefined ? {} : { max_age: maxAge }),
      ...(acrValues === undefined ? {} : { acr_values: acrValues }),
      ...(forced ? { prompt: 'login' } : {}),
    });
  }

  /** A provider may answer a frame's or window's request in the tab. */
  override async signinCallback(url = window.location.href): Promise<User | undefined> {
    // An old response in a bookmark is unknown, not invalid.
    await this._client.readSigninResponseState(responseUrl(url).href);
    return this.signinRedirectCallback(url);
  }

  /** (1) Also for silent requests. */
  protected override async _signinStart(args: CreateSigninRequestArgs, handle: IWindow) {
    const stopWatching = args.request_type === 'si:p' ? watchWindow(handle, this.#windowLost) : () => {};
    const isFrameLoaded = args.request_type === 'si:s' ? watchFrame(handle) : () => false;
    try {
      // Before the user signs in.
      await this.#ensureKey();
      const result = super._signinStart({ nonce: crypto.randomUUID(), ...args }, handle);
      return await withNetworkCause(result, () => this.#availability());
    } catch (error) {
      throw error instanceof ErrorTimeout && isFrameLoaded() ? await this.#frameError(error) : error;
    } finally {
      stopWatching();
    }
  }

  /** (9) The frame has loaded a page but received no response: a form, or an error page. */
  async #frameError(timeout: ErrorTimeout): Promise<Error> {
    switch (await this.#availability()) {
      case 'available':
        return new FrameError({ error: 'interaction_required', error_description: t.idToken.needsInteraction });
      case 'unavailable':
        return unavailableError(timeout);
      default:
        return timeout;
    }
  }

  /** (2) RFC 9207. */
  protected override async _signinEnd(url: string, verifySub?: string): Promise<User> {
    const metadata = await this.metadataService.getMetadata();
    const response = responseUrl(url);
    const problem = problemOfResponse(response.searchParams, {
      issuer: metadata.issuer ?? this.settings.authority,
      sendsIssuer:
        'authorization_response_iss_parameter_supported' in metadata &&
        metadata.authorization_response_iss_parameter_supported === true,
    });
    if (problem !== null) throw new IdTokenError(problem);
    await this.#ensureKey();
    return withNetworkCause(super._signinEnd(response.href, verifySub), () => this.#availability());
  }

  /** (3) Issued by this provider for this application, and not expired. */
  protected override async _buildUser(response: SigninResponse, verifySub?: string): Promise<User> {
    await this.#verifyIdToken(response);
    this.#verifyBinding(response);
    if (verifySub === undefined && this.#windowSubject !== null) {
      const { sub } = response.profile;
      if (sub !== this.#windowSubject) throw new OtherAccountError(`The subject is ${sub}.`);
    }
    // Must not undo a sign-out.
    if (verifySub !== undefined && (await this._loadUser()) === null) throw loginRequired(t.idToken.endedElsewhere);
    return super._buildUser(response, verifySub);
  }

  /** The issuer is part of the account's key. */
  async #verifyIdToken(response: SigninResponse): Promise<void> {
    const issuer = await this.metadataService.getIssuer();
    const problem = problemOfIdToken(response.id_token, {
      issuers: [issuer, ...this.#capabilities.issuerAliases],
      clientId: this.settings.client_id,
      now: Date.now() / 1000,
    });
    if (problem !== null) throw new IdTokenError(problem);
    response.profile = { ...response.profile, iss: issuer };
  }

  /** (11) With a lock, because only one tab's key would be stored. */
  async #ensureKey(): Promise<void> {
    const { dpop, client_id } = this.settings;
    if (!dpop) return;
    const ensure = () => this.generateDPoPJkt(dpop);
    try {
      await (locks()?.request(`waypost:key:${this.settings.authority}:${client_id}`, ensure) ?? ensure());
    } catch (error) {
      throw new KeyError(String(error), { cause: error });
    }
  }

  /** A provider without DPoP ignores the proof (RFC 9449, section 5). */
  #verifyBinding({ token_type: type }: { token_type: string }): void {
    if (this.settings.dpop && type.toLowerCase() !== 'dpop') throw new IdTokenError(t.idToken.notBound);
  }

  /** (11) Returns a proof for a request with this token, or null if there is no key. */
  async proofOf(accessToken: string, { url, method, nonce }: ProvenRequest): Promise<string | null> {
    const user = await this._loadUser();
    if (user === null) return null;
    // The request may have an older token.
    const sender = new User({ ...user, access_token: accessToken });
    return (await this.dpopProof(url, sender, method, nonce)) ?? null;
  }

  /** (4) Allows one renewal at a time in this tab. Concurrent callers get the same result. */
  override signinSilent(args: SigninSilentArgs = {}): Promise<User | null> {
    this.#renewal ??= this.#renew(args).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /**
   * Without a requested way, a frame follows an expired refresh token, and a `CorsError`, because some providers send
   * CORS headers only on success. A rejected frame is repeated without the ID token, whose key may have been replaced.
   */
  async #renew(args: SigninSilentArgs): Promise<User | null> {
    // A duplicated tab has the original's refresh token.
    await this.claimTab();
    if (!this.#capabilities.frame) {
      const byToken = args.forceIframeAuth !== true && (await this._loadUser())?.refresh_token !== undefined;
      if (!byToken) throw loginRequired(t.idToken.notAlone);
    }
    try {
      return await super.signinSilent(args);
    } catch (error) {
      const stored = await this._loadUser();
      const usedHint =
        stored?.id_token !== undefined && (args.forceIframeAuth === true || stored.refresh_token === undefined);
      if (usedHint && error instanceof ErrorResponse && error.error === 'invalid_request')
        return super.signinSilent({ ...args, forceIframeAuth: true, ...WITHOUT_HINT });
      const isRejected =
        error instanceof CorsError || (error instanceof ErrorResponse && error.error === 'invalid_grant');
      const mayContinue = isRejected && args.forceIframeAuth === undefined && this.#capabilities.frame;
      if (!mayContinue && !(error instanceof StaleIdTokenError)) throw error;
      return this.#renew({ ...args, forceIframeAuth: true });
    }
  }

  protected override async _useRefreshToken({ state, ...args }: UseRefreshTokenArgs): Promise<User> {
    await this.#ensureKey();
    const request = this._client.useRefreshToken({ ...args, state });
    const response = await withNetworkCause(request, () => this.#availability());
    // It may lack one (OpenID Connect Core, section 12.2).
    const isNew = response.id_token !== undefined && response.id_token !== state.id_token;
    if (isNew) await this.#verifyIdToken(response);
    this.#verifyBinding(response);
    const stored = await this._loadUser();
    // Must not undo a sign-out or a sign-in.
    if (stored?.refresh_token !== state.refresh_token) {
      if (response.refresh_token !== undefined) await this.#revoke(response.refresh_token);
      if (stored === null) throw loginRequired(t.idToken.endedElsewhere);
      return stored;
    }
    const user = new User({ ...state, ...response });
    await this.storeUser(user);
    if (!isNew && this.#capabilities.token === 'ID_TOKEN') throw new StaleIdTokenError();
    await this._events.load(user);
    return user;
  }

  /**
   * (5) A duplicated tab or `window.open()` child drops its copy and gets tokens from the provider's session. Once per
   * page, before it obtains tokens.
   */
  claimTab(): Promise<'owner' | 'copy'> {
    this.#claim ??= this.#claimOnce();
    return this.#claim;
  }

  async #claimOnce(): Promise<'owner' | 'copy'> {
    const key = `waypost:tab:${this.settings.authority}:${this.settings.client_id}`;
    const inherited = await this._loadUser();
    const name = sessionStorage.getItem(key) ?? crypto.randomUUID();
    sessionStorage.setItem(key, name);
    if (await holdLock(`${key}:${name}`)) return 'owner';
    const own = crypto.randomUUID();
    sessionStorage.setItem(key, own);
    await holdLock(`${key}:${own}`);
    // A window may have stored new ones.
    if ((await this._loadUser())?.access_token === inherited?.access_token) await this.removeUser();
    return 'copy';
  }

  /** (6) Here first, so that a failure at the provider has no effect. "provider" means a redirect follows. */
  async signOut(): Promise<'provider' | 'local'> {
    const user = await this._loadUser();
    await this.removeUser();
    await this.#removePendingRequests();
    await this.settings.dpop?.store.remove(this.settings.client_id).catch(() => undefined);
    const request = this.#signOutRequest(user?.id_token);
    // Browsers allow a window only during the click.
    const inWindow = this.#capabilities.logout === 'POPUP' ? this.#signOutInWindow(request) : null;
    const revocation = user?.refresh_token === undefined ? undefined : this.#revoke(user.refresh_token);
    const [availability] = await Promise.all([this.#availability(), revocation]);
    if (this.#capabilities.logout === 'LOCAL') return 'local';
    // The redirect would end on an error page.
    if (availability !== 'available') return 'local';
    if (inWindow !== null && (await inWindow)) return 'local';
    try {
      if (this.#capabilities.logout === 'FRAME') return await this.#signOutInFrame(request);
      if (!(await this.metadataService.getEndSessionEndpoint())) return 'local';
      // The provider would show an error page.
      if (await this.#isKeyRemoved(user?.id_token)) delete request.id_token_hint;
      const { post_logout_redirect_uri: logout_uri = '' } = this.settings;
      const cognito = this.#capabilities.logout === 'COGNITO' ? { extraQueryParams: { logout_uri } } : {};
      await this.signoutRedirect({ ...request, ...cognito });
      return 'provider';
    } catch {
      return 'local';
    }
  }

  /** Providers cannot derive `client_id` from several audiences (OpenID Connect RP-Initiated Logout, section 2). */
  #signOutRequest(idToken: string | undefined): SignOutRequest {
    const { client_id } = this.settings;
    return idToken === undefined ? { client_id } : { client_id, id_token_hint: idToken };
  }

  /** False if that is unknown. The server reads the keys, because not all providers allow pages to do so. */
  async #isKeyRemoved(idToken: string | undefined): Promise<boolean> {
    const keyId = idToken === undefined ? undefined : headerOf(idToken)?.['kid'];
    if (typeof keyId !== 'string') return false;
    try {
      const url = `/auth/sign-out/${this.#capabilities.id}/key-ids`;
      const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
      const ids = (await response.json()) as readonly string[] | null;
      return ids !== null && ids.length > 0 && !ids.includes(keyId);
    } catch {
      return false;
    }
  }

  /** Verifiers and nonces. */
  async #removePendingRequests(): Promise<void> {
    const { stateStore } = this.settings;
    await Promise.all((await stateStore.getAllKeys()).map(key => stateStore.remove(key)));
  }

  /** False if the browser blocks it. */
  async #signOutInWindow(request: SignOutRequest): Promise<boolean> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort('Popup aborted'), SIGN_OUT_WINDOW_TIMEOUT_MS);
    const back = { post_logout_redirect_uri: this.settings.popup_redirect_uri, state: {} };
    try {
      await this.signoutPopup({ ...request, ...back, popupSignal: timeout.signal });
    } catch (error) {
      if (error instanceof Error && error.message.includes('disposed window')) return false;
    } finally {
      clearTimeout(timer);
    }
    return true;
  }

  async #signOutInFrame(request: SignOutRequest): Promise<'local'> {
    // The page needs a state to notify this one.
    await this.signoutSilent({ ...request, post_logout_redirect_uri: this.settings.silent_redirect_uri, state: {} });
    return 'local';
  }

  /** (7) From the time of receipt, because this computer's clock may be wrong. */
  override async storeUser(user: User | null): Promise<void> {
    if (user && this.#capabilities.token === 'ID_TOKEN') {
      const before = await this._loadUser();
      const expiresAt = before?.id_token === user.id_token ? before?.expires_at : expiryOf(user.id_token);
      if (expiresAt !== undefined) user.expires_at = expiresAt;
    }
    // (11) Other tabs use the key.
    if (user === null && this.settings.dpop) await this.settings.userStore.remove(this._userStoreKey);
    else await super.storeUser(user);
  }

  /** (9) Without CORS headers there is no status, but a response read before shows that CORS is configured. */
  async #availability(): Promise<Availability> {
    const [response, opaque] = await Promise.all([this.#probe('cors'), this.#probe('no-cors')]);
    if (response) return response.status < 500 ? 'available' : 'unavailable';
    if (!opaque) return 'unreachable';
    return (await this._loadUser()) === null ? 'available' : 'unavailable';
  }

  async #probe(mode: RequestMode): Promise<Response | null> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    return fetch(this.settings.metadataUrl, { mode, cache: 'no-store', signal }).catch(() => null);
  }

  async #revoke(refreshToken: string): Promise<void> {
    if (!this.#capabilities.revocation) return;
    const timeout = new Promise(resolve => setTimeout(resolve, PROBE_TIMEOUT_MS));
    await Promise.race([timeout, this._client.revokeToken(refreshToken, 'refresh_token').catch(() => undefined)]);
  }
}

export interface SignInAgain extends StepUpRequirement {
  /** The account whose sign-in is repeated. */
  subject: string;
  /** True to sign in even if the provider's session is recent, because it may be that of another account. */
  forced: boolean;
}

interface SignOutRequest {
  client_id: string;
  id_token_hint?: string;
}

/** Parameters in the query; some providers use the fragment. */
function responseUrl(url: string): URL {
  const response = new URL(url);
  if (!response.searchParams.has('state') && response.hash.includes('state=')) response.search = response.hash.slice(1);
  response.hash = '';
  return response;
}

function loginRequired(reason: string): ErrorResponse {
  return new ErrorResponse({ error: 'login_required', error_description: reason });
}

/** Refreshed without a new ID token, which the server checks. */
class StaleIdTokenError extends Error {
  override name = 'StaleIdTokenError';
}

function expiryOf(idToken: string | undefined): number | undefined {
  const { exp, iat } = (idToken && claimsOf(idToken)) || {};
  if (typeof exp !== 'number' || typeof iat !== 'number') return undefined;
  return Math.floor(Date.now() / 1000) + exp - iat;
}

/**
 * Releases the lock when the page is unloaded. Returns false if another page holds it. No timeout, because a busy
 * browser can take half a second to grant a free lock.
 */
async function holdLock(name: string, attempts = CLAIM_ATTEMPTS): Promise<boolean> {
  if (await tryLock(name)) return true;
  if (attempts === 1) return false;
  await new Promise(resolve => setTimeout(resolve, CLAIM_INTERVAL_MS));
  return holdLock(name, attempts - 1);
}

async function tryLock(name: string): Promise<boolean> {
  const manager = locks();
  if (!manager) return true;
  return new Promise(resolve => {
    const untilUnload = (lock: Lock | null) => {
      resolve(lock !== null);
      return lock && new Promise<never>(() => {});
    };
    manager.request(name, { ifAvailable: true }, untilUnload).catch(() => resolve(false));
  });
}

function locks(): LockManager | null {
  return navigator.locks ?? null;
}
