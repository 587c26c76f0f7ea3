/** Adds renewal, the tabs of a browser, and signing out to the checks of checked-user-manager.ts. */
/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import {
  ErrorResponse,
  type SigninSilentArgs,
  User,
  type UserManagerSettings,
  type UseRefreshTokenArgs,
} from 'oidc-client-ts';
import { t } from '../../../shared/i18n/en/auth';
import { accountKeyOf } from './account-key';
import { type Capabilities, CheckedUserManager, SessionEndedError } from './checked-user-manager';
import { claimsOf, IdTokenError, MalformedIdTokenError, problemOfRenewedIdToken } from './id-token';
import { CorsError, withNetworkCause } from './network-cause';
import type { SignOutResult } from './provider-sign-out';
import { SessionSharing } from './session-sharing';
import { isTemporaryResponse } from './sign-in-problem';
import { holdLock } from './tab-locks';

/** The library's types lack this parameter, its hint for silent requests. */
const WITHOUT_HINT: object = { id_token_hint: undefined };

/** The first screen does not need it. Loaded in advance, because the server may be unreachable later. */
export const loadProviderSignOut = () => import('./provider-sign-out');

export class SafeUserManager extends CheckedUserManager {
  #renewal: Promise<User | null> | null = null;
  #claim: Promise<'owner' | 'copy'> | null = null;
  readonly #sharing: SessionSharing;

  constructor(settings: UserManagerSettings, capabilities: Partial<Capabilities> = {}) {
    super(settings, capabilities);
    this.#sharing = new SessionSharing(`${this.settings.authority}:${this.settings.client_id}`, {
      storage: window.sessionStorage,
      load: () => this._loadUser(),
      receive: user => this.#receive(user),
    });
  }

  /** (4) Allows one renewal at a time in this tab, and of all tabs of a session. Concurrent callers get the same result. */
  override signinSilent(args: SigninSilentArgs = {}): Promise<User | null> {
    this.#renewal ??= this.#renewExclusively(args).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #renewExclusively(args: SigninSilentArgs): Promise<User | null> {
    // A duplicated tab has the original's refresh token.
    await this.claimTab();
    const before = await this._loadUser();
    return this.#sharing.exclusively(async isOutdated => {
      const current = await this._loadUser();
      // Must not undo a sign-out.
      if (before !== null && current === null) throw new SessionEndedError();
      const isRenewed = current !== null && current.access_token !== before?.access_token && current.expired !== true;
      if (isRenewed) return current;
      // Some providers end the session if a refresh token is used twice.
      return this.#renew(isOutdated ? { ...args, forceIframeAuth: true } : args);
    });
  }

  /**
   * A frame follows a refresh token that is rejected or whose ID token is not accepted, and a `CorsError`, because some
   * providers send CORS headers only on success. A rejected frame is repeated without the ID token, whose key may have
   * been replaced.
   */
  async #renew(args: SigninSilentArgs): Promise<User | null> {
    const stored = await this._loadUser();
    const byToken = args.forceIframeAuth !== true && stored?.refresh_token !== undefined;
    if (!byToken && !this.capabilities.frame) throw loginRequired(t.idToken.notAlone);
    try {
      return await super.signinSilent(args);
    } catch (error) {
      if (!byToken) {
        const mayLackHint =
          stored?.id_token !== undefined && isErrorResponse(error) && error.error === 'invalid_request';
        if (!mayLackHint) throw error;
        return super.signinSilent({ ...args, forceIframeAuth: true, ...WITHOUT_HINT });
      }
      if (!(error instanceof RenewalError || (args.forceIframeAuth === undefined && isRejection(error)))) throw error;
      if (!this.capabilities.frame) throw error instanceof RenewalError ? loginRequired(error.message) : error;
      return this.#renew({ ...args, forceIframeAuth: true });
    }
  }

  protected override async _useRefreshToken({ state, ...args }: UseRefreshTokenArgs): Promise<User> {
    await this.ensureKey();
    const request = this._client.useRefreshToken({ ...args, state });
    const response = await withNetworkCause(request, () => this.availability());
    this.verifyBinding(response);
    // It may lack one (OpenID Connect Core, section 12.2).
    const newIdToken = response.id_token === state.id_token ? undefined : response.id_token;
    const problem =
      newIdToken === undefined
        ? this.#problemOfStaleIdToken()
        : ((await this.problemOfIdToken(response)) ??
          problemOfRenewedIdToken(newIdToken, { sub: state.profile.sub, idToken: state.id_token }));
    const isAttack = problem instanceof IdTokenError && !(problem instanceof MalformedIdTokenError);
    const stored = await this._loadUser();
    // Must not undo a sign-out or a sign-in.
    const isReplaced = stored?.refresh_token !== state.refresh_token;
    if ((isAttack || isReplaced) && response.refresh_token !== undefined) await this.revoke(response.refresh_token);
    if (isAttack) throw problem;
    if (isReplaced || stored === null) {
      if (stored === null) throw new SessionEndedError();
      return stored;
    }
    if (problem !== null) {
      // (12) The provider has replaced the refresh token, also if the response is of no other use.
      const { refresh_token = state.refresh_token } = response;
      await this.storeUser(new User({ ...stored, refresh_token }));
      throw new RenewalError(problem.message, { cause: problem });
    }
    const user = new User({ ...state, ...response });
    await this.storeUser(user);
    await this._events.load(user);
    return user;
  }

  /** The server checks the ID token, so that a session does not last longer. */
  #problemOfStaleIdToken(): Error | null {
    return this.capabilities.token === 'ID_TOKEN' ? new Error(t.idToken.notRenewed) : null;
  }

  /**
   * (5) A duplicated tab or `window.open()` child drops its copy and gets the tokens from the original, or from the
   * provider's session. Once per page, before it obtains tokens.
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
    if (await holdLock(`${key}:${name}`)) {
      if (inherited !== null) await this.#sharing.resume();
      return 'owner';
    }
    const own = crypto.randomUUID();
    sessionStorage.setItem(key, own);
    await holdLock(`${key}:${own}`);
    // A window may have stored new ones.
    if ((await this._loadUser())?.access_token === inherited?.access_token) await this.removeUser();
    return 'copy';
  }

  /** (13) Continues the session of another tab. Returns false if no tab has one. */
  async joinTabs(): Promise<boolean> {
    return this.#sharing.join();
  }

  async #receive(user: User): Promise<void> {
    // Not by `storeUser`, which would send it again.
    await this.settings.userStore.set(this._userStoreKey, user.toStorageString());
    await this._events.load(user);
  }

  /** (6) Here first, so that a failure at the provider has no effect. */
  async signOut(): Promise<SignOutResult> {
    const user = await this._loadUser();
    await this.removeUser();
    await this.#removePendingRequests();
    await this.settings.dpop?.store.remove(this.settings.client_id).catch(() => undefined);
    const revocation = user?.refresh_token === undefined ? undefined : this.revoke(user.refresh_token);
    const isAvailable = Promise.all([this.availability(), revocation]).then(([state]) => state === 'available');
    try {
      const { signOutAtProvider } = await loadProviderSignOut();
      return await signOutAtProvider(this, { ...this.capabilities, idToken: user?.id_token, isAvailable });
    } catch {
      return 'local';
    }
  }

  /** Verifiers and nonces. */
  async #removePendingRequests(): Promise<void> {
    const { stateStore } = this.settings;
    await Promise.all((await stateStore.getAllKeys()).map(key => stateStore.remove(key)));
  }

  /** (7) From the time of receipt, because this computer's clock may be wrong. */
  override async storeUser(user: User | null): Promise<void> {
    const before = await this._loadUser();
    if (user === null) {
      this.#sharing.stop();
      // (11) Other tabs use the key.
      if (this.settings.dpop) await this.settings.userStore.remove(this._userStoreKey);
      else await super.storeUser(null);
      return;
    }
    if (this.capabilities.token === 'ID_TOKEN') {
      const expiresAt = before?.id_token === user.id_token ? before?.expires_at : expiryOf(user.id_token);
      if (expiresAt !== undefined) user.expires_at = expiresAt;
    }
    await super.storeUser(user);
    await this.#sharing.publish(user, before === null || accountKeyOf(before) !== accountKeyOf(user));
  }
}

/** The refresh token was accepted, but its response does not continue the session. */
class RenewalError extends Error {
  override name = 'RenewalError';
}

function loginRequired(reason: string): ErrorResponse {
  return new ErrorResponse({ error: 'login_required', error_description: reason });
}

function isErrorResponse(error: unknown): error is ErrorResponse {
  return error instanceof ErrorResponse && !(error instanceof SessionEndedError);
}

/** True if the provider will not accept the refresh token later either. */
function isRejection(error: unknown): boolean {
  return error instanceof CorsError || (isErrorResponse(error) && !isTemporaryResponse(error));
}

function expiryOf(idToken: string | undefined): number | undefined {
  const { exp, iat } = (idToken && claimsOf(idToken)) || {};
  if (typeof exp !== 'number' || typeof iat !== 'number') return undefined;
  return Math.floor(Date.now() / 1000) + exp - iat;
}
