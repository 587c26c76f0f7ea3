/**
 * Extends `UserManager` of oidc-client-ts 3.5 with the checks and timeouts that it lacks. Each numbered addition was
 * required by a provider or a race; safe-user-manager.ts has the others.
 * Overrides protected members, so package.json pins the version and a test fails if one no longer exists.
 */
/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import {
  type CreateSigninRequestArgs,
  ErrorResponse,
  ErrorTimeout,
  type IWindow,
  type RefreshState,
  type SigninResponse,
  User,
  UserManager,
  type UserManagerSettings,
} from 'oidc-client-ts';
import type { Logout, ProviderToken } from '../../../generated/operations';
import type { ProvenRequest, StepUpRequirement } from '../../../shared/api/auth-session';
import { t } from '../../../shared/i18n/en/auth';
import { fetchWithTimeout, jsonServiceOf, REQUEST_TIMEOUT_S } from './fetch-with-timeout';
import { IdTokenError, OtherAccountError, problemOfIdToken, problemOfResponse } from './id-token';
import { KeyError } from './key-error';
import { type Availability, unavailableError, withNetworkCause } from './network-cause';
import { locks } from './tab-locks';
import { watchFrame, watchWindow } from './watch-window';

/** Its content does not matter. */
export const PROBE_TIMEOUT_MS = 2000;

/** Seconds before the expiry, in the library. */
const RENEWAL_LEAD_FIELD = '_expiringNotificationTimeInSeconds';

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

/** The session was ended in another tab, or by this one. Nothing may continue it. */
export class SessionEndedError extends ErrorResponse {
  constructor() {
    super({ error: 'login_required', error_description: t.idToken.endedElsewhere });
  }
}

const DEFAULT_CAPABILITIES: Capabilities = {
  id: 'oidc',
  frame: true,
  logout: 'PROVIDER',
  revocation: true,
  token: 'ACCESS_TOKEN',
  issuerAliases: [],
};

type RefreshValidator = (response: SigninResponse, state: RefreshState) => Promise<void>;

export class CheckedUserManager extends UserManager {
  protected readonly capabilities: Capabilities;
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
    this.capabilities = { ...DEFAULT_CAPABILITIES, ...capabilities };
    this.#limitRenewalLead();
    this.#replaceFetch();
    this.#replaceRefreshValidator();
  }

  /** (10) The original has no timeout for bodies and renewals, and checks the content type before the status. */
  #replaceFetch(): void {
    const refreshClient: unknown = Reflect.get(this._client, '_tokenClient');
    const codeClient: unknown = Reflect.get(this.#validator, '_tokenClient');
    const userinfo: unknown = Reflect.get(this.#validator, '_userInfoService');
    for (const service of [this.metadataService, refreshClient, codeClient, userinfo]) {
      Reflect.set(jsonServiceOf(service), 'fetchWithTimeout', fetchWithTimeout);
    }
  }

  /**
   * (12) The original discards the response of a refresh if it rejects the ID token, and with it the refresh token that
   * replaces the used one. `_useRefreshToken` verifies the ID token instead. Some providers take `auth_time` from the
   * account, so that a sign-in on another device changes it, contrary to OpenID Connect Core 1.0, section 12.2.
   */
  #replaceRefreshValidator(): void {
    const validator = this.#validator;
    const validate = (Reflect.get(validator, 'validateRefreshResponse') as RefreshValidator).bind(validator);
    const withoutComparison: RefreshValidator = (response, state) => {
      const { id_token, ...withoutIdToken } = state;
      // A malformed ID token, which `_useRefreshToken` reports.
      const isMalformed = () => undefined;
      return validate(response, withoutIdToken)
        .catch(isMalformed)
        .then(() => {
          if (response.id_token === undefined) Object.assign(response, { id_token, profile: state.profile });
        });
    };
    Reflect.set(validator, 'validateRefreshResponse', withoutComparison);
  }

  get #validator(): object {
    return Reflect.get(this._client, '_validator') as object;
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

  /** Returns the prompt with which a user who is signed in at the provider can use another account. */
  async accountPrompt(): Promise<string> {
    const metadata: object = await this.metadataService.getMetadata();
    const supported: unknown = Reflect.get(metadata, 'prompt_values_supported');
    const isListed = Array.isArray(supported) && supported.includes('select_account');
    // Google supports no other one, and does not list it.
    return isListed || this.settings.authority === 'https://accounts.google.com' ? 'select_account' : 'login';
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
      await this.ensureKey();
      const result = super._signinStart({ nonce: crypto.randomUUID(), ...args }, handle);
      return await withNetworkCause(result, () => this.availability());
    } catch (error) {
      throw error instanceof ErrorTimeout && isFrameLoaded() ? await this.#frameError(error) : error;
    } finally {
      stopWatching();
    }
  }

  /** (9) The frame has loaded a page but received no response: a form, or an error page. */
  async #frameError(timeout: ErrorTimeout): Promise<Error> {
    switch (await this.availability()) {
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
    await this.ensureKey();
    return withNetworkCause(super._signinEnd(response.href, verifySub), () => this.availability());
  }

  /** (3) Issued by this provider for this application, and not expired. */
  protected override async _buildUser(response: SigninResponse, verifySub?: string): Promise<User> {
    const problem = await this.problemOfIdToken(response);
    if (problem !== null) throw problem;
    this.verifyBinding(response);
    if (verifySub === undefined && this.#windowSubject !== null) {
      const { sub } = response.profile;
      if (sub !== this.#windowSubject) throw new OtherAccountError(`The subject is ${sub}.`);
    }
    // Must not undo a sign-out.
    if (verifySub !== undefined && (await this._loadUser()) === null) throw new SessionEndedError();
    return super._buildUser(response, verifySub);
  }

  /** Returns the reason to reject an ID token. Sets the issuer of the profile, which is part of the account's key. */
  protected async problemOfIdToken(response: SigninResponse): Promise<Error | null> {
    const issuer = await this.metadataService.getIssuer();
    response.profile = { ...response.profile, iss: issuer };
    return problemOfIdToken(response.id_token, {
      issuers: [issuer, ...this.capabilities.issuerAliases],
      clientId: this.settings.client_id,
      now: Date.now() / 1000,
    });
  }

  /** (11) With a lock, because only one tab's key would be stored. */
  protected async ensureKey(): Promise<void> {
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
  protected verifyBinding({ token_type: type }: { token_type: string }): void {
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

  /** (9) Without CORS headers there is no status, but a response read before shows that CORS is configured. */
  protected async availability(): Promise<Availability> {
    const [response, opaque] = await Promise.all([this.#probe('cors'), this.#probe('no-cors')]);
    if (response) return response.status < 500 ? 'available' : 'unavailable';
    if (!opaque) return 'unreachable';
    return (await this._loadUser()) === null ? 'available' : 'unavailable';
  }

  async #probe(mode: RequestMode): Promise<Response | null> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    return fetch(this.settings.metadataUrl, { mode, cache: 'no-store', signal }).catch(() => null);
  }

  protected async revoke(refreshToken: string): Promise<void> {
    if (!this.capabilities.revocation) return;
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

/** Parameters in the query; some providers use the fragment. */
function responseUrl(url: string): URL {
  const response = new URL(url);
  if (!response.searchParams.has('state') && response.hash.includes('state=')) response.search = response.hash.slice(1);
  response.hash = '';
  return response;
}
