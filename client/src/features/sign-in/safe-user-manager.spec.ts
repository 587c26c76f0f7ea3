/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import {
  type DPoPState,
  ErrorResponse,
  ErrorTimeout,
  InMemoryWebStorage,
  type OidcMetadata,
  type SigninSilentArgs,
  User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jwt } from './fixtures';
import { claimsOf } from './id-token';
import { CorsError, UnavailableError } from './network-cause';
import { type Capabilities, SafeUserManager } from './safe-user-manager';
import { signInProblem } from './sign-in-problem';

const issuer = 'https://id.example';
const endpoint = (name: string) => `${issuer}/${name}`;
const now = () => Math.floor(Date.now() / 1000);
const idToken = (change: object = {}) =>
  jwt({ iss: issuer, aud: 'waypost', sub: 'ada', exp: now() + 300, iat: now(), ...change });

const metadata: Partial<OidcMetadata> & Record<string, unknown> = {
  issuer,
  authorization_endpoint: endpoint('auth'),
  token_endpoint: endpoint('token'),
  revocation_endpoint: endpoint('revocation'),
  end_session_endpoint: endpoint('end'),
  authorization_response_iss_parameter_supported: true,
};

const PROFILE = { iss: issuer, aud: 'waypost', sub: 'ada', exp: now() + 300, iat: now() };

let tokens: Storage;
let answer: (request: Request) => Response | Promise<Response>;
const requests: { path: string; form: URLSearchParams }[] = [];

beforeEach(() => {
  tokens = new InMemoryWebStorage();
  requests.length = 0;
  answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
  vi.unstubAllGlobals();
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    requests.push({ path: new URL(request.url).pathname, form: new URLSearchParams(await request.clone().text()) });
    return answer(request);
  });
});

class TestUserManager extends SafeUserManager {
  processResponse(url: string) {
    return this._signinEnd(url);
  }
}

function createManager(capabilities: Partial<Capabilities> = {}, change: Partial<UserManagerSettings> = {}) {
  const settings = {
    authority: issuer,
    client_id: 'waypost',
    redirect_uri: 'https://waypost.example/auth/callback',
    popup_redirect_uri: 'https://waypost.example/auth/popup.html',
    silent_redirect_uri: 'https://waypost.example/auth/silent.html',
    metadata,
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: tokens }),
    stateStore: new WebStorageStateStore({ store: tokens }),
    post_logout_redirect_uri: 'https://waypost.example/signed-out',
    ...change,
  };
  return new TestUserManager(settings, capabilities);
}

async function signedIn(manager: SafeUserManager, refreshToken = 'first') {
  const user = new User({
    access_token: 'old',
    refresh_token: refreshToken,
    id_token: idToken(),
    token_type: 'Bearer',
    scope: 'openid',
    profile: PROFILE,
    expires_at: now() + 5,
  });
  await manager.storeUser(user);
  return user;
}

async function startSignIn(manager: TestUserManager) {
  const assigned = new Promise<URL>(resolve => {
    vi.spyOn(window.location, 'assign').mockImplementation(url => resolve(new URL(url)));
  });
  manager.signinRedirect().catch(() => undefined);
  const request = await assigned;
  const reply = (parameters: Record<string, string>) =>
    manager.processResponse(
      `https://waypost.example/auth/callback?${new URLSearchParams({
        state: request.searchParams.get('state') ?? '',
        code: 'code',
        ...parameters,
      })}`,
    );
  return { request, reply };
}

const grant = (change: object = {}) => {
  answer = () => Response.json({ access_token: 'new', token_type: 'Bearer', expires_in: 300, ...change });
};

it('overrides members that exist in oidc-client-ts (review its changes before updating it)', () => {
  for (const member of ['_signinStart', '_signinEnd', '_buildUser', '_useRefreshToken', '_loadUser']) {
    expect(UserManager.prototype).toHaveProperty(member);
  }
  const manager = new UserManager({ authority: issuer, client_id: 'waypost', redirect_uri: issuer });
  expect(manager).toHaveProperty('_client.revokeToken');
  expect(manager).toHaveProperty('_client.useRefreshToken');
  expect(manager).toHaveProperty('_events.load');
  for (const service of ['_client.metadataService', '_client._tokenClient', '_client._validator._tokenClient']) {
    expect(manager).toHaveProperty(`${service}._jsonService.fetchWithTimeout`);
  }
});

describe('a sign-in', () => {
  it('sends a unique nonce', async () => {
    const first = await startSignIn(createManager());
    const second = await startSignIn(createManager());
    const nonces = [first, second].map(({ request }) => request.searchParams.get('nonce'));
    expect(nonces[0]).toMatch(/^[\w-]{36}$/);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('accepts the response of its provider', async () => {
    const { request, reply } = await startSignIn(createManager());
    grant({ id_token: idToken({ nonce: request.searchParams.get('nonce') }) });
    const user = await reply({ iss: issuer });
    expect(user.access_token).toBe('new');
  });

  it('reports a response without an ID token as such', async () => {
    vi.stubGlobal('isSecureContext', true);
    const { reply } = await startSignIn(createManager());
    grant();
    const error: unknown = await reply({ iss: issuer }).catch((reason: unknown) => reason);
    // sign-in-problem.ts recognizes the message.
    expect(signInProblem(error, 'interactive')).toMatchObject({
      kind: 'untrusted',
      reason: 'The provider’s ID token is malformed.',
    });
  });

  it('accepts a response in the fragment', async () => {
    const manager = createManager();
    const { request } = await startSignIn(manager);
    grant({ id_token: idToken({ nonce: request.searchParams.get('nonce') }) });
    const fragment = new URLSearchParams({ state: request.searchParams.get('state') ?? '', code: 'code', iss: issuer });
    const user = await manager.signinCallback(`https://waypost.example/auth/callback#${fragment}`);
    expect(user?.access_token).toBe('new');
  });

  it('rejects the response of another provider before the code is sent', async () => {
    const { reply } = await startSignIn(createManager());
    await expect(reply({ iss: 'https://evil.example' })).rejects.toThrow('different provider');
    await expect(reply({})).rejects.toThrow('doesn’t identify its provider');
    expect(requests).toEqual([]);
  });

  it.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another application', { aud: 'other' }],
    ['that has expired', { exp: 1 }],
    ['with another nonce', { nonce: 'other' }],
  ])('rejects an ID token %s and stores no user', async (_, change) => {
    const manager = createManager();
    const { request, reply } = await startSignIn(manager);
    grant({ id_token: idToken({ nonce: request.searchParams.get('nonce'), ...change }) });
    // sign-in-problem.ts recognizes the message.
    await expect(reply({ iss: issuer })).rejects.toThrow(/issuer|audience|expired|nonce in id_token/);
    expect(await manager.getUser()).toBeNull();
  });
});

it('normalizes the issuer of a token', async () => {
  const { request, reply } = await startSignIn(createManager({ issuerAliases: ['id.example'] }));
  grant({ id_token: idToken({ nonce: request.searchParams.get('nonce'), iss: 'id.example' }) });
  expect((await reply({ iss: issuer })).profile.iss).toBe(issuer);
});

describe('a session whose tokens are bound to a key', () => {
  class MemoryKeyStore {
    readonly states = new Map<string, DPoPState>();
    get = async (key: string) => this.states.get(key) as DPoPState;
    set = async (key: string, state: DPoPState) => void this.states.set(key, state);
    getAllKeys = async () => [...this.states.keys()];
    remove = async (key: string) => {
      const removed = await this.get(key);
      this.states.delete(key);
      return removed;
    };
  }

  const signInBound = async (tokenType = 'DPoP') => {
    const store = new MemoryKeyStore();
    const manager = createManager({ logout: 'LOCAL' }, { dpop: { store } });
    const { request, reply } = await startSignIn(manager);
    grant({ token_type: tokenType, id_token: idToken({ nonce: request.searchParams.get('nonce') }) });
    return { store, manager, user: await reply({ iss: issuer }) };
  };

  it('keeps the key until it signs out, because other tabs use it too', async () => {
    const { store, manager } = await signInBound();
    await manager.removeUser();
    expect(store.states.size).toBe(1);
    await manager.signOut();
    expect(store.states.size).toBe(0);
  });

  it('signs a proof for the token of a request, also after it was replaced', async () => {
    const { manager } = await signInBound();
    const request = { url: 'https://waypost.example/graphql', method: 'POST', nonce: 'n' };
    const proof = (await manager.proofOf('previous', request)) ?? '';
    // SHA-256 of "previous".
    const ath = 'baBjNSjeqgFE57BYMV8LdT7AuUUWOnK_lqDRgYD53g0';
    expect(claimsOf(proof)).toMatchObject({ htm: 'POST', htu: request.url, nonce: 'n', ath });
    await manager.removeUser();
    expect(await manager.proofOf('previous', request)).toBeNull();
  });

  it('is rejected if the provider ignores proofs', async () => {
    await expect(signInBound('Bearer')).rejects.toThrow('didn’t bind');
  });

  it('reports an expired refresh token as such, although the response contains a nonce', async () => {
    const { manager } = await signInBound();
    await signedIn(manager);
    answer = () => Response.json({ error: 'invalid_grant' }, { status: 400, headers: { 'dpop-nonce': 'n' } });
    requests.length = 0;
    const renewal = createManager({ frame: false }, { dpop: { store: new MemoryKeyStore() } }).signinSilent();
    await expect(renewal).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(requests.filter(({ path }) => path === '/token')).toHaveLength(1);
  });

  it('cannot start if the browser does not store keys', async () => {
    const store = new MemoryKeyStore();
    store.set = () => Promise.reject(new DOMException('Storage is disabled', 'InvalidStateError'));
    vi.stubGlobal('isSecureContext', true);
    const failure: unknown = await createManager({}, { dpop: { store } })
      .signinRedirect()
      .catch((error: unknown) => error);
    expect(signInProblem(failure, 'interactive')).toMatchObject({ kind: 'keyNotStored' });
  });
});

describe('a session whose ID token is sent to the server', () => {
  const life = (user: User | null) => (user?.expires_at ?? 0) - now();

  it('lasts as long as that token, by the provider’s clock', async () => {
    const { request, reply } = await startSignIn(createManager({ token: 'ID_TOKEN' }));
    const nonce = request.searchParams.get('nonce');
    // Five minutes slow.
    grant({ id_token: idToken({ nonce, iat: now() + 300, exp: now() + 1500 }), expires_in: 60 });
    expect(life(await reply({ iss: issuer }))).toBeGreaterThan(1190);
  });

  it('is renewed with a new ID token', async () => {
    const manager = createManager({ token: 'ID_TOKEN' });
    await signedIn(manager);
    grant({ id_token: idToken({ exp: now() + 900 }), expires_in: 60 });
    expect(life(await manager.signinSilent())).toBeGreaterThan(890);
  });

  it('is renewed in a frame, once, if a refresh returns no new ID token', async () => {
    const manager = createManager({ token: 'ID_TOKEN', frame: false });
    await signedIn(manager);
    grant({ refresh_token: 'second', expires_in: 3600 });
    await expect(manager.signinSilent()).rejects.toMatchObject({ error: 'login_required' });
    expect(requests.map(({ path }) => path)).toEqual(['/token']);
    const stored = await manager.getUser();
    // It does not extend the session.
    expect(stored?.refresh_token).toBe('second');
    expect(life(stored)).toBeLessThan(301);
  });
});

describe('a renewal', () => {
  it.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another application', { aud: 'other' }],
    ['that has expired', { exp: 1 }],
    ['of another account', { sub: 'bob' }],
  ])('rejects an ID token %s and keeps the session', async (_, change) => {
    const manager = createManager();
    await signedIn(manager);
    grant({ id_token: idToken(change), refresh_token: 'forged' });
    await expect(manager.signinSilent()).rejects.toThrow(/issuer|audience|expired|sub/);
    expect((await manager.getUser())?.access_token).toBe('old');
  });

  it('is done once if it is requested four times concurrently', async () => {
    const manager = createManager();
    await signedIn(manager);
    grant({ refresh_token: 'second' });
    const users = await Promise.all(Array.from({ length: 4 }, () => manager.signinSilent()));
    expect(users.map(user => user?.access_token)).toEqual(['new', 'new', 'new', 'new']);
    expect(requests.map(({ path }) => path)).toEqual(['/token']);
  });

  /** Responds to a renewal only after the user has done something else. */
  async function renewWhile(act: (manager: TestUserManager) => Promise<unknown>) {
    const manager = createManager();
    await signedIn(manager);
    answer = async ({ url }) => {
      if (!url.endsWith('/token')) return new Response();
      await act(manager);
      return Response.json({ access_token: 'new', refresh_token: 'second', token_type: 'Bearer', expires_in: 300 });
    };
    const result = manager.signinSilent({ forceIframeAuth: false });
    return { manager, result };
  }
  const revokedTokens = () =>
    requests.filter(({ path }) => path === '/revocation').map(({ form }) => form.get('token'));

  it('does not undo a sign-out that happens meanwhile', async () => {
    const { manager, result } = await renewWhile(each => each.removeUser());
    // The error must be reported as `sessionEnded`, not as `untrusted`.
    await expect(result).rejects.toMatchObject({ error: 'login_required' });
    expect(await manager.getUser()).toBeNull();
    expect(revokedTokens()).toEqual(['second']);
  });

  it('does not replace the session of a sign-in that happens meanwhile', async () => {
    const { manager, result } = await renewWhile(each => signedIn(each, 'of the new sign-in'));
    expect((await result)?.refresh_token).toBe('of the new sign-in');
    expect((await manager.getUser())?.refresh_token).toBe('of the new sign-in');
    expect(revokedTokens()).toEqual(['second']);
  });

  it.each<[string, boolean, SigninSilentArgs, string | undefined, object[]]>([
    [
      'continues in a frame if its refresh token has expired',
      true,
      {},
      'invalid_grant',
      [{}, { forceIframeAuth: true }],
    ],
    [
      'uses only the refresh token if that was requested',
      true,
      { forceIframeAuth: false },
      'invalid_grant',
      [{ forceIframeAuth: false }],
    ],
    ['does not use a frame if the provider does not support it', false, {}, 'invalid_grant', [{}]],
    ['does not use a frame if the provider is temporarily unavailable', true, {}, 'temporarily_unavailable', [{}]],
    ['uses a frame only once', true, { forceIframeAuth: true }, undefined, [{ forceIframeAuth: true }]],
  ])('%s', async (_, frame, silentArgs, error, expected) => {
    const manager = createManager({ frame });
    const user = await signedIn(manager);
    const signinSilent = vi.spyOn(UserManager.prototype, 'signinSilent').mockImplementation(async args => {
      if (error !== undefined && args?.forceIframeAuth !== true) throw new ErrorResponse({ error });
      return user;
    });
    const outcome = await manager.signinSilent(silentArgs).then(
      () => 'renewed',
      (reason: unknown) => (reason instanceof ErrorResponse ? reason.error : 'another error'),
    );
    expect(outcome).toBe(expected.some(args => 'forceIframeAuth' in args && args.forceIframeAuth) ? 'renewed' : error);
    expect(signinSilent.mock.calls.map(([args]) => args)).toEqual(expected);
    signinSilent.mockRestore();
  });

  it.each([
    ['continues in a frame if CORS hides the error', true, 'renewed'],
    ['fails if the provider is unreachable', false, 'TypeError'],
  ])('%s', async (_, answers, expected) => {
    const manager = createManager();
    const user = await signedIn(manager);
    answer = ({ url }) => {
      if (!url.endsWith('/token') && answers) return new Response();
      throw new TypeError('Failed to fetch');
    };
    const byToken = UserManager.prototype.signinSilent;
    const signinSilent = vi.spyOn(UserManager.prototype, 'signinSilent').mockImplementation(async function (
      this: UserManager,
      args,
    ) {
      return args?.forceIframeAuth === true ? user : byToken.call(this, args);
    });
    const outcome = await manager.signinSilent().then(
      () => 'renewed',
      (reason: unknown) => (reason instanceof Error ? reason.name : 'another error'),
    );
    expect(outcome).toBe(expected);
    signinSilent.mockRestore();
  });

  it('accepts only JSON, because some providers would send errors as HTML', async () => {
    const manager = createManager({ frame: false });
    await signedIn(manager);
    answer = ({ headers }) => {
      if (headers.get('accept')?.includes('html') !== true)
        return Response.json({ error: 'invalid_grant' }, { status: 400 });
      return new Response('<h1>Grant request is invalid</h1>', {
        status: 400,
        headers: { 'content-type': 'text/html' },
      });
    };
    await expect(manager.signinSilent()).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

/** A provider that accepts the request and sends nothing, or a part of a response. */
const hangs = ({ signal }: Request, headers: boolean) => {
  if (!headers) {
    return new Promise<Response>((_, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Aborted.', 'AbortError')));
    });
  }
  const body = new ReadableStream({
    start: controller =>
      signal.addEventListener('abort', () => controller.error(new DOMException('Aborted.', 'AbortError'))),
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};

describe('a provider that never responds', () => {
  it.each([
    ['without headers', false],
    ['after the headers', true],
  ])('is reported within ten seconds, and the next renewal works: %s', async (_, headers) => {
    vi.useFakeTimers();
    const manager = createManager({ frame: false });
    await signedIn(manager);
    answer = request => hangs(request, headers);
    const first = manager.signinSilent().catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await first).toBeInstanceOf(ErrorTimeout);
    grant({ refresh_token: 'second' });
    expect((await manager.signinSilent())?.access_token).toBe('new');
    vi.useRealTimers();
  });

  it('does not delay the renewals of other tabs', async () => {
    // No lock across tabs.
    const request = vi.fn<(name: string, _: unknown, task: () => unknown) => unknown>((_, __, task) => task());
    vi.stubGlobal('navigator', { locks: { request } });
    const manager = createManager();
    await signedIn(manager);
    grant();
    await manager.signinSilent();
    expect(request.mock.calls.map(([name]) => name)).toEqual([expect.stringMatching(/^waypost:tab:/)]);
  });

  it('is reported by the automatic renewal at the first timeout', async () => {
    vi.useFakeTimers();
    const manager = createManager({ frame: false }, { automaticSilentRenew: true });
    const failed = vi.fn<(error: Error) => void>();
    manager.events.addSilentRenewError(failed);
    answer = request => hangs(request, false);
    await manager.events.load(await signedIn(manager));
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(failed).toHaveBeenCalledExactlyOnceWith(expect.any(ErrorTimeout));
    manager.stopSilentRenew();
    vi.useRealTimers();
  });
});

/** Responds only with a timeout. */
function stubFrame(manager: TestUserManager) {
  const element = document.createElement('iframe');
  const timeout = new EventTarget();
  const opened = new Promise<void>(resolve => {
    const navigate = () => {
      resolve();
      return new Promise((_, reject) => {
        timeout.addEventListener('timeout', () => reject(new ErrorTimeout('IFrame timed out without a response')));
      });
    };
    Reflect.set(manager, '_iframeNavigator', { prepare: async () => ({ _frame: element, navigate, close: () => {} }) });
  });
  return { element, opened, timeOut: () => timeout.dispatchEvent(new Event('timeout')) };
}

describe('a frame without a response', () => {
  it.each<[string, boolean, (request: Request) => Response, object]>([
    ['that shows a page needs interaction', true, () => new Response(), { error: 'interaction_required' }],
    [
      'of a provider with a gateway error is unavailable',
      true,
      () => new Response('', { status: 503 }),
      { name: 'UnavailableError' },
    ],
    ['that has loaded nothing has timed out', false, () => new Response(), { name: 'ErrorTimeout' }],
    [
      'of a provider that is down has timed out',
      true,
      () => {
        throw new TypeError('Failed to fetch');
      },
      { name: 'ErrorTimeout' },
    ],
  ])('%s', async (_, loads, response, expected) => {
    answer = response;
    const manager = createManager();
    const frame = stubFrame(manager);
    const result = manager.signinSilent().catch((error: unknown) => error);
    await frame.opened;
    if (loads) frame.element.dispatchEvent(new Event('load'));
    frame.timeOut();
    expect(await result).toMatchObject(expected);
  });
});

describe('an error page of a proxy', () => {
  const page = (status: number) =>
    new Response('<h1>Sorry</h1>', { status, statusText: 'Sorry', headers: { 'content-type': 'text/html' } });

  it.each([
    [503, 'Sorry (503)'],
    [403, 'Sorry (403)'],
    [200, 'Invalid response Content-Type'],
  ])('with status %d is reported as %s', async (status, message) => {
    const manager = createManager({ frame: false });
    await signedIn(manager);
    const { reply } = await startSignIn(manager);
    answer = () => page(status);
    await expect(manager.signinSilent()).rejects.toThrow(message);
    await expect(reply({ iss: issuer })).rejects.toThrow(message);
  });

  it('without CORS headers is distinguished from missing CORS by an earlier response', async () => {
    const manager = createManager({ frame: false });
    const { reply } = await startSignIn(manager);
    answer = ({ mode }) => {
      if (mode === 'no-cors') return new Response();
      throw new TypeError('Failed to fetch');
    };
    await expect(reply({ iss: issuer })).rejects.toBeInstanceOf(CorsError);
    await signedIn(manager);
    await expect(manager.signinSilent()).rejects.toBeInstanceOf(UnavailableError);
  });
});

describe('the response to a request of the frame', () => {
  it('is accepted in the tab, because a provider may remember only its first request', async () => {
    const manager = createManager();
    const frame = stubFrame(manager);
    const silent = manager.signinSilent().catch(() => 'timed out');
    await frame.opened;
    frame.timeOut();
    expect(await silent).toBe('timed out');
    const [state = ''] = await manager.settings.stateStore.getAllKeys();
    const { nonce } = JSON.parse((await manager.settings.stateStore.get(state)) ?? '{}') as { nonce?: string };
    grant({ id_token: idToken({ nonce }) });
    const query = new URLSearchParams({ state, code: 'code', iss: issuer });
    const user = await manager.signinCallback(`https://waypost.example/auth/callback?${query}`);
    expect(user?.access_token).toBe('new');
    expect(requests.at(-1)?.form.get('redirect_uri')).toBe('https://waypost.example/auth/silent.html');
  });
});

describe('a tab', () => {
  it('that was duplicated drops the copied tokens', async () => {
    const locks = new Set<string>();
    vi.stubGlobal('navigator', {
      locks: {
        request: (name: string, _: unknown, task: () => unknown) => {
          if (locks.has(name)) return Promise.reject(new Error('taken'));
          locks.add(name);
          return Promise.resolve(task());
        },
      },
    });
    const original = createManager();
    await signedIn(original);
    expect(await original.claimTab()).toBe('owner');
    expect(await original.getUser()).not.toBeNull();
    const copy = createManager();
    expect(await copy.claimTab()).toBe('copy');
    expect(await copy.getUser()).toBeNull();
    // It does not drop its own tokens.
    await signedIn(copy);
    expect(await copy.claimTab()).toBe('copy');
    expect(await copy.getUser()).not.toBeNull();
  });
});

describe('a sign-out', () => {
  it('removes the tokens if the provider is down', async () => {
    const manager = createManager();
    await signedIn(manager);
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    vi.spyOn(window.location, 'assign').mockImplementation(() => {
      throw new Error('no page');
    });
    expect(await manager.signOut()).toBe('local');
    expect(await manager.getUser()).toBeNull();
  });

  it('removes the tokens before it revokes the refresh token, and ignores the response', async () => {
    const manager = createManager();
    await signedIn(manager);
    let storedMeanwhile: unknown = 'unknown';
    answer = async () => {
      storedMeanwhile = await manager.getUser();
      return new Response('no', { status: 503 });
    };
    vi.spyOn(window.location, 'assign').mockImplementation(() => {
      throw new Error('no page');
    });
    await manager.signOut();
    expect(storedMeanwhile).toBeNull();
    expect(requests.find(({ path }) => path === '/revocation')?.form.get('token')).toBe('first');
  });
});

it('names the client in a sign-out, because an ID token may have several audiences', async () => {
  const manager = createManager();
  await signedIn(manager);
  const assigned = new Promise<URL>(resolve => {
    vi.spyOn(window.location, 'assign').mockImplementation(url => resolve(new URL(url)));
  });
  void manager.signOut();
  const { searchParams } = await assigned;
  expect(searchParams.get('client_id')).toBe('waypost');
  expect(searchParams.get('id_token_hint')).toMatch(/^eyJ/);
  expect(searchParams.get('post_logout_redirect_uri')).toBe('https://waypost.example/signed-out');
});

describe('after the key of the ID token was replaced', () => {
  const token = jwt(PROFILE, { kid: 'old' });

  it.each([
    ['omits it as a hint', ['new'], null],
    ['keeps it as a hint while the provider publishes the key', ['new', 'old'], token],
    ['keeps it as a hint if the server cannot read the keys', null, token],
  ])('a sign-out %s', async (_, keyIds, expected) => {
    const manager = createManager({ id: 'oidc-2' });
    const user = await signedIn(manager);
    await manager.storeUser(new User({ ...user, id_token: token }));
    answer = ({ url }) =>
      url === `${window.location.origin}/auth/sign-out/oidc-2/key-ids` ? Response.json(keyIds) : new Response();
    const assigned = new Promise<URL>(resolve => {
      vi.spyOn(window.location, 'assign').mockImplementation(url => resolve(new URL(url)));
    });
    void manager.signOut();
    const { searchParams } = await assigned;
    expect(searchParams.get('id_token_hint')).toBe(expected);
    expect(searchParams.get('client_id')).toBe('waypost');
  });

  it('a renewal in a frame is repeated once without the rejected hint', async () => {
    const manager = createManager();
    const user = await signedIn(manager);
    const signinSilent = vi
      .spyOn(UserManager.prototype, 'signinSilent')
      .mockRejectedValueOnce(new ErrorResponse({ error: 'invalid_request' }))
      .mockResolvedValueOnce(user);
    expect(await manager.signinSilent({ forceIframeAuth: true })).toBe(user);
    expect(signinSilent.mock.lastCall).toEqual([{ forceIframeAuth: true, id_token_hint: undefined }]);
    signinSilent.mockRejectedValue(new ErrorResponse({ error: 'invalid_request' }));
    await expect(manager.signinSilent({ forceIframeAuth: true })).rejects.toMatchObject({ error: 'invalid_request' });
    expect(signinSilent).toHaveBeenCalledTimes(4);
    signinSilent.mockRestore();
  });
});

describe('a sign-out without leaving the page', () => {
  it('opens the window during the click and ends when the provider responds', async () => {
    const manager = createManager({ logout: 'POPUP' });
    await signedIn(manager);
    const popup = vi.spyOn(manager, 'signoutPopup').mockResolvedValue();
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    expect(await manager.signOut()).toBe('local');
    expect(popup.mock.calls[0]?.[0]).toMatchObject({
      client_id: 'waypost',
      post_logout_redirect_uri: 'https://waypost.example/auth/popup.html',
      id_token_hint: expect.stringMatching(/^eyJ/),
    });
    expect(leave).not.toHaveBeenCalled();
    expect(await manager.getUser()).toBeNull();
  });

  it('leaves the page if the browser blocks the window', async () => {
    const manager = createManager({ logout: 'POPUP' });
    await signedIn(manager);
    vi.stubGlobal('open', () => null);
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    expect(await manager.signOut()).toBe('provider');
    expect(leave).toHaveBeenCalledOnce();
  });

  it('uses a hidden frame and ignores its failure', async () => {
    const manager = createManager({ logout: 'FRAME' });
    await signedIn(manager);
    const frame = vi.spyOn(manager, 'signoutSilent').mockRejectedValue(new Error('no answer'));
    expect(await manager.signOut()).toBe('local');
    expect(frame.mock.calls[0]?.[0]).toMatchObject({
      client_id: 'waypost',
      post_logout_redirect_uri: 'https://waypost.example/auth/silent.html',
      state: {},
    });
    expect(await manager.getUser()).toBeNull();
  });

  it('removes unfinished sign-ins', async () => {
    const manager = createManager({ logout: 'LOCAL' });
    await startSignIn(manager);
    expect(JSON.stringify({ ...tokens })).toContain('code_verifier');
    await manager.signOut();
    expect(JSON.stringify({ ...tokens })).not.toContain('code_verifier');
  });
});

describe('the automatic renewal', () => {
  it.each([
    ['a third before the end of a short life', 30, 20],
    ['a minute before the end of a long life', 600, 540],
  ])('starts %s', async (_, life, due) => {
    vi.useFakeTimers();
    const manager = createManager({}, { accessTokenExpiringNotificationTimeInSeconds: 60 });
    const expiring = vi.fn<() => void>();
    manager.events.addAccessTokenExpiring(expiring);
    const user = new User({ access_token: 'a', token_type: 'Bearer', profile: PROFILE, expires_at: now() + life });
    await manager.events.load(user);
    await vi.advanceTimersByTimeAsync((due - 6) * 1000);
    expect(expiring).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(7000);
    expect(expiring).toHaveBeenCalledOnce();
    await manager.events.unload();
    vi.useRealTimers();
  });
});

describe('a sign-in window', () => {
  it('is reported once when it can no longer be observed, and may still succeed', async () => {
    vi.useFakeTimers();
    const manager = createManager();
    const replace = vi.fn<(url: string) => void>();
    const opened = { close: () => {}, focus: () => {}, closed: false, location: { replace } };
    vi.stubGlobal('open', () => opened);
    const lost = vi.fn<() => void>();
    const stop = new AbortController();
    const result = manager.signInByWindow(stop.signal, lost).catch(String);
    // PKCE is asynchronous, without timers.
    await vi.waitFor(() => expect(replace).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(1000);
    expect(lost).not.toHaveBeenCalled();
    opened.closed = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(lost).toHaveBeenCalledOnce();
    stop.abort('Popup aborted');
    expect(await result).toContain('aborted');
    vi.useRealTimers();
  });

  it.each([
    ['rejects another account', 'bob', false],
    ['accepts the same account', 'ada', true],
  ])('that repeats a sign-in requests a recent one and %s', async (_, subject, forced) => {
    vi.stubGlobal('isSecureContext', true);
    const manager = createManager();
    await signedIn(manager);
    const replace = vi.fn<(url: string) => void>();
    vi.stubGlobal('open', () => ({ close: () => {}, focus: () => {}, closed: false, location: { replace } }));
    const stop = new AbortController();
    const waiting = manager.signInByWindow(stop.signal, () => {}, {
      subject: 'ada',
      maxAge: 300,
      acrValues: 'phrh phr',
      forced,
    });
    waiting.catch(() => undefined);
    await vi.waitFor(() => expect(replace).toHaveBeenCalled());
    const { searchParams: request } = new URL(replace.mock.lastCall?.[0] ?? '');
    expect(['max_age', 'acr_values', 'prompt'].map(name => request.get(name))).toEqual([
      '300',
      'phrh phr',
      forced ? 'login' : null,
    ]);
    grant({ id_token: idToken({ sub: subject, nonce: request.get('nonce') }) });
    const response = new URLSearchParams({ state: request.get('state') ?? '', code: 'code', iss: issuer });
    const problem = await manager.processResponse(`https://waypost.example/auth/popup.html?${response}`).then(
      () => null,
      (error: unknown) => signInProblem(error, 'interactive').kind,
    );
    expect(problem).toBe(subject === 'ada' ? null : 'otherAccount');
    expect((await manager.getUser())?.access_token).toBe(subject === 'ada' ? 'new' : 'old');
    stop.abort('Popup aborted');
  });
});

describe('a provider with limited capabilities', () => {
  it('is not used in a frame if it does not support that', async () => {
    const manager = createManager({ frame: false });
    const frame = vi.spyOn(UserManager.prototype, 'signinSilent').mockResolvedValue(null);
    await expect(manager.signinSilent()).rejects.toMatchObject({ error: 'login_required' });
    await signedIn(manager);
    await expect(manager.signinSilent({ forceIframeAuth: true })).rejects.toMatchObject({ error: 'login_required' });
    expect(frame).not.toHaveBeenCalled();
    await manager.signinSilent();
    expect(frame).toHaveBeenCalledOnce();
    frame.mockRestore();
  });

  it('is not contacted at sign-out if it supports neither that nor revocation', async () => {
    const manager = createManager({ logout: 'LOCAL', revocation: false });
    await signedIn(manager);
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    await expect(manager.signOut()).resolves.toBe('local');
    expect(leave).not.toHaveBeenCalled();
    expect(requests.map(({ path }) => path)).not.toContain('/revocation');
    await expect(manager.getUser()).resolves.toBeNull();
  });

  it('receives the return address in its proprietary parameter', async () => {
    const manager = createManager({ logout: 'COGNITO' });
    await signedIn(manager);
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    await expect(manager.signOut()).resolves.toBe('provider');
    expect(leave.mock.calls[0]?.[0]).toMatchObject({
      client_id: 'waypost',
      extraQueryParams: { logout_uri: 'https://waypost.example/signed-out' },
    });
  });
});
