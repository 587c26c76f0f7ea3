/**
 * `UserManager` of oidc-client-ts 3.5 with the nine things that it lacks and that a provider or a race made necessary:
 * a nonce on every request, the issuer of every response, the claims of every ID token, one renewal at a time, one
 * tab per refresh token, a sign-out that clears this browser first, the end of the token that is really sent, a
 * renewal in time for short lives, and a name for answers that the page may not read.
 *
 * It overrides protected members, so package.json pins the library's version and a test fails when one of them is
 * gone.
 */
/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import {
  type CreateSigninRequestArgs,
  ErrorResponse,
  type IWindow,
  type SigninResponse,
  type SigninSilentArgs,
  User,
  UserManager,
  type UserManagerSettings,
  type UseRefreshTokenArgs,
} from 'oidc-client-ts';
import type { Logout, ProviderToken } from '../../generated/operations';
import { t } from '../../shared/i18n/en/auth';
import { orCorsError, CorsError } from './cors-error';
import { claimsOf, IdTokenError, problemOfIdToken, problemOfResponse } from './id-token';

/** How long a tab waits for the previous page in it to let go of its claim, in milliseconds. */
const CLAIM_PATIENCE = 500;

/** How long the sign-out waits for an answer of the provider, in milliseconds. */
const SIGN_OUT_PATIENCE = 2000;

/** A token that lives at least this long, in seconds, is not renewed again after another tab has renewed it. */
const FRESH = 15;

/** How long the sign-out in a window waits for the person, in milliseconds. */
const SIGN_OUT_WINDOW_PATIENCE = 60_000;

/** Where the library keeps how long before the end it renews, in seconds. A test fails when it has moved. */
const AHEAD = '_expiringNotificationTimeInSeconds';

/** How often a sign-in window is looked at, in milliseconds. */
const WINDOW_INTERVAL = 500;

/** What the provider's sessions can do. */
export interface Abilities {
  /** Whether they can be renewed in a hidden frame. */
  frame: boolean;
  /** Where signing out ends them. */
  logout: Logout;
  /** Whether refresh tokens can be revoked. */
  revocation: boolean;
  /** The token that is sent to the server. */
  token: ProviderToken;
  /** Other spellings of the issuer in ID tokens. */
  issuerAliases: readonly string[];
}

const USUAL: Abilities = {
  frame: true,
  logout: 'PROVIDER',
  revocation: true,
  token: 'ACCESS_TOKEN',
  issuerAliases: [],
};

export class SafeUserManager extends UserManager {
  #renewal: Promise<User | null> | null = null;
  #claim: Promise<'owner' | 'copy'> | null = null;
  readonly #abilities: Abilities;
  #windowLost: () => void = () => {};

  constructor(settings: UserManagerSettings, abilities: Partial<Abilities> = {}) {
    super({
      maxSilentRenewTimeoutRetries: 2,
      requestTimeoutInSeconds: 10,
      silentRequestTimeoutInSeconds: 8,
      // Some providers refuse a request without a page when it does not say whose session it means.
      includeIdTokenInSilentRenew: true,
      // Providers refuse to revoke access tokens that are JWTs, and the library then gives up.
      revokeTokenTypes: ['refresh_token'],
      // Tokens that are bound to a resource are refused at the userinfo endpoint.
      loadUserInfo: false,
      // Needs third-party cookies, which browsers take away.
      monitorSession: false,
      ...settings,
    });
    this.#abilities = { ...USUAL, ...abilities };
    this.#renewInTime();
  }

  /** 8. A token that lives a minute or less would be renewed each second: a third of its life is early enough. */
  #renewInTime(): void {
    const events = this._events;
    const most = this.settings.accessTokenExpiringNotificationTimeInSeconds;
    const load = events.load.bind(events);
    events.load = (user, raiseEvent) => {
      Reflect.set(events, AHEAD, Math.min(most, (user.expires_in ?? 0) / 3));
      return load(user, raiseEvent);
    };
  }

  /**
   * Signs in by a window. `onLost` is called once when the window cannot be seen any more: it was closed, or a page in
   * it isolates itself (Cross-Origin-Opener-Policy). Which of them, no browser tells, so this goes on waiting.
   */
  async signInByWindow(signal: AbortSignal, onLost: () => void): Promise<User> {
    this.#windowLost = onLost;
    return this.signinPopup({ popupSignal: signal });
  }

  /** 1. A nonce on every request, also on the automatic ones. */
  protected override async _signinStart(args: CreateSigninRequestArgs, handle: IWindow) {
    const stopLooking = args.request_type === 'si:p' ? lookAfter(handle, this.#windowLost) : () => {};
    try {
      const asked = super._signinStart({ nonce: crypto.randomUUID(), ...args }, handle);
      return await orCorsError(asked, () => this.#answers());
    } finally {
      stopLooking();
    }
  }

  /** 2. The response comes from the provider that was asked (RFC 9207). */
  protected override async _signinEnd(url: string, verifySub?: string): Promise<User> {
    const metadata = await this.metadataService.getMetadata();
    const problem = problemOfResponse(new URL(url).searchParams, {
      issuer: metadata.issuer ?? this.settings.authority,
      sendsIssuer:
        'authorization_response_iss_parameter_supported' in metadata &&
        metadata.authorization_response_iss_parameter_supported === true,
    });
    if (problem !== null) throw new IdTokenError(problem);
    return orCorsError(super._signinEnd(url, verifySub), () => this.#answers());
  }

  /** 3. The ID token is of this provider, for this application, and of now. */
  protected override async _buildUser(response: SigninResponse, verifySub?: string): Promise<User> {
    await this.#accept(response);
    return super._buildUser(response, verifySub);
  }

  /** Whatever the spelling of its issuer, a person is known by one. */
  async #accept(response: SigninResponse): Promise<void> {
    const issuer = await this.metadataService.getIssuer();
    const problem = problemOfIdToken(response.id_token, {
      issuers: [issuer, ...this.#abilities.issuerAliases],
      clientId: this.settings.client_id,
      now: Date.now() / 1000,
    });
    if (problem !== null) throw new IdTokenError(problem);
    response.profile = { ...response.profile, iss: issuer };
  }

  /** 4. One renewal at a time in this tab: whoever asks meanwhile gets the same answer. */
  override signinSilent(args: SigninSilentArgs = {}): Promise<User | null> {
    this.#renewal ??= this.#renew(args).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /**
   * A frame that the provider leaves without an answer would only end by its timeout, so it is not tried. A refresh token
   * that has ended says nothing about the provider's session: a frame may still continue it, unless the caller insists.
   * Some providers let pages read nothing but what they grant, so what cannot be read is taken for a refusal.
   */
  async #renew(args: SigninSilentArgs): Promise<User | null> {
    if (!this.#abilities.frame) {
      const byToken = args.forceIframeAuth !== true && (await this._loadUser())?.refresh_token !== undefined;
      if (!byToken) throw over(t.idToken.notAlone);
    }
    try {
      return await super.signinSilent(args);
    } catch (error) {
      const isDead = error instanceof CorsError || (error instanceof ErrorResponse && error.error === 'invalid_grant');
      const mayContinue = isDead && args.forceIframeAuth === undefined && this.#abilities.frame;
      if (!mayContinue && !(error instanceof StaleIdTokenError)) throw error;
      return this.#renew({ ...args, forceIframeAuth: true });
    }
  }

  /** 4. … and one across tabs. A refresh token works once, so each tab looks for a newer one when its turn comes. */
  protected override _useRefreshToken(args: UseRefreshTokenArgs): Promise<User> {
    const renew = async (): Promise<User> => {
      const stored = await this._loadUser();
      if (!stored?.refresh_token) throw over(t.idToken.endedElsewhere);
      const renewedElsewhere = stored.refresh_token !== args.state.refresh_token;
      if (renewedElsewhere && (stored.expires_in ?? 0) > FRESH) {
        await this._events.load(stored);
        return stored;
      }
      const { refresh_token, id_token, session_state, scope, profile } = stored;
      const state: UseRefreshTokenArgs['state'] = {
        ...args.state,
        refresh_token,
        ...(id_token === undefined ? {} : { id_token }),
        ...(scope === undefined ? {} : { scope }),
        session_state,
        profile,
      };
      const { silentRequestTimeoutInSeconds: timeoutInSeconds } = this.settings;
      const asked = this._client.useRefreshToken({ timeoutInSeconds, ...args, state });
      // 9. What a page may not read looks to it like no answer.
      const response = await orCorsError(asked, () => this.#answers());
      // A provider may leave the ID token out here (OpenID Connect Core, section 12.2); a new one is checked like any.
      const isNew = response.id_token !== undefined && response.id_token !== id_token;
      if (isNew) await this.#accept(response);
      const user = new User({ ...state, ...response });
      await this.storeUser(user);
      if (!isNew && this.#abilities.token === 'ID_TOKEN') throw new StaleIdTokenError();
      await this._events.load(user);
      return user;
    };
    return inTurn(`waypost:renew:${this.settings.client_id}`, renew);
  }

  /**
   * 5. Only one tab keeps a refresh token. A duplicated tab or a `window.open()` child inherits a copy of
   *   sessionStorage; it drops the copied tokens and must get its own from the provider's session. Done once for each
   *   page, before it has tokens of its own.
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
    if (await hold(`${key}:${name}`)) return 'owner';
    const own = crypto.randomUUID();
    sessionStorage.setItem(key, own);
    await hold(`${key}:${own}`);
    // A window may have signed in meanwhile: those tokens are this tab's.
    if ((await this._loadUser())?.access_token === inherited?.access_token) await this.removeUser();
    return 'copy';
  }

  /**
   * 6. Signing out clears this browser first and tells the provider second: a failure there keeps nobody signed in.
   * Answers "provider" when the page is about to leave for the provider's own sign-out.
   */
  async signOut(): Promise<'provider' | 'local'> {
    const user = await this._loadUser();
    await this.removeUser();
    await this.#forgetRequests();
    const hint = user?.id_token ? { id_token_hint: user.id_token } : {};
    // A window has to be opened while the click still counts.
    const inWindow = this.#abilities.logout === 'POPUP' ? this.#signOutInWindow(hint) : null;
    const revocable = this.#abilities.revocation ? user?.refresh_token : undefined;
    const [answers] = await Promise.all([this.#answers(), revocable && this.#revoke(revocable)]);
    if (this.#abilities.logout === 'LOCAL') return 'local';
    // Leaving for a provider that is down would strand the person on an error page of the browser.
    if (!answers) return 'local';
    if (inWindow !== null && (await inWindow)) return 'local';
    try {
      if (this.#abilities.logout === 'FRAME') return await this.#signOutInFrame(hint);
      if (!(await this.metadataService.getEndSessionEndpoint())) return 'local';
      const { client_id, post_logout_redirect_uri } = this.settings;
      const own = { client_id, logout_uri: post_logout_redirect_uri ?? '' };
      await this.signoutRedirect({
        ...hint,
        ...(this.#abilities.logout === 'COGNITO' ? { extraQueryParams: own } : {}),
      });
      return 'provider';
    } catch {
      return 'local';
    }
  }

  /** Verifiers and nonces of sign-ins that were begun and not finished. */
  async #forgetRequests(): Promise<void> {
    const { stateStore } = this.settings;
    await Promise.all((await stateStore.getAllKeys()).map(key => stateStore.remove(key)));
  }

  /** False when the browser opens no window. */
  async #signOutInWindow(hint: { id_token_hint?: string }): Promise<boolean> {
    const patience = new AbortController();
    const late = setTimeout(() => patience.abort('Popup aborted'), SIGN_OUT_WINDOW_PATIENCE);
    const back = { post_logout_redirect_uri: this.settings.popup_redirect_uri, state: {} };
    try {
      await this.signoutPopup({ ...hint, ...back, popupSignal: patience.signal });
    } catch (error) {
      if (error instanceof Error && error.message.includes('disposed window')) return false;
    } finally {
      clearTimeout(late);
    }
    return true;
  }

  async #signOutInFrame(hint: { id_token_hint?: string }): Promise<'local'> {
    // Without a state, the page that the provider leads to would not know whom to tell.
    await this.signoutSilent({ ...hint, post_logout_redirect_uri: this.settings.silent_redirect_uri, state: {} });
    return 'local';
  }

  /**
   * 7. Where the ID token is what the server checks, a session lasts as long as that one. Its own clock counts, from the
   * moment at which it came: this computer's may be wrong.
   */
  override async storeUser(user: User | null): Promise<void> {
    if (user && this.#abilities.token === 'ID_TOKEN') {
      const before = await this._loadUser();
      const ends = before?.id_token === user.id_token ? before?.expires_at : endOf(user.id_token);
      if (ends !== undefined) user.expires_at = ends;
    }
    await super.storeUser(user);
  }

  /** Whether the provider answers at all; what it says does not matter here. */
  async #answers(): Promise<boolean> {
    const signal = AbortSignal.timeout(SIGN_OUT_PATIENCE);
    const request = fetch(this.settings.metadataUrl, { mode: 'no-cors', cache: 'no-store', signal });
    return request.then(
      () => true,
      () => false,
    );
  }

  async #revoke(refreshToken: string): Promise<void> {
    const late = new Promise(resolve => setTimeout(resolve, SIGN_OUT_PATIENCE));
    await Promise.race([late, this._client.revokeToken(refreshToken, 'refresh_token').catch(() => undefined)]);
  }
}

/** There is no session to renew, in the words that a provider has for it. */
function over(reason: string): ErrorResponse {
  return new ErrorResponse({ error: 'login_required', error_description: reason });
}

/** The refresh token was taken, but the token that the server checks is still the old one. */
class StaleIdTokenError extends Error {
  override name = 'StaleIdTokenError';
}

/** When an ID token that came just now ends, in seconds since 1970 by this computer's clock. */
function endOf(idToken: string | undefined): number | undefined {
  const { exp, iat } = (idToken && claimsOf(idToken)) || {};
  if (typeof exp !== 'number' || typeof iat !== 'number') return undefined;
  return Math.floor(Date.now() / 1000) + exp - iat;
}

/** Calls back once when the window of a sign-in cannot be seen any more. */
function lookAfter(handle: IWindow, lost: () => void): () => void {
  const opened: unknown = Reflect.get(handle, '_window');
  const looking = setInterval(() => {
    if (!isClosed(opened)) return;
    clearInterval(looking);
    lost();
  }, WINDOW_INTERVAL);
  return () => clearInterval(looking);
}

function isClosed(opened: unknown): boolean {
  return typeof opened === 'object' && opened !== null && 'closed' in opened && opened.closed === true;
}

/** Runs `task` when no other tab runs one of this name. Without Web Locks (no secure context) it runs at once. */
function inTurn<T>(name: string, task: () => Promise<T>): Promise<T> {
  return locks()?.request(name, task) ?? task();
}

/** Holds the lock `name` for as long as this page lives. False when another page holds it. */
async function hold(name: string): Promise<boolean> {
  const manager = locks();
  if (!manager) return true;
  return new Promise(resolve => {
    const forEver = () => {
      resolve(true);
      return new Promise<never>(() => {});
    };
    manager.request(name, { signal: AbortSignal.timeout(CLAIM_PATIENCE) }, forEver).catch(() => resolve(false));
  });
}

function locks(): LockManager | null {
  return navigator.locks ?? null;
}
