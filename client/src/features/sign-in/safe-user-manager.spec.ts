/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import {
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
import { type Abilities, SafeUserManager } from './safe-user-manager';

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

/** Opens the protected doors for tests. */
class Subject extends SafeUserManager {
  read(url: string) {
    return this._signinEnd(url);
  }
}

function makeManager(abilities: Partial<Abilities> = {}, change: Partial<UserManagerSettings> = {}) {
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
  return new Subject(settings, abilities);
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

/** The request that a full-page sign-in sends, and a function that answers it. */
async function begin(manager: Subject) {
  const left = new Promise<URL>(resolve => {
    vi.spyOn(window.location, 'assign').mockImplementation(url => resolve(new URL(url)));
  });
  manager.signinRedirect().catch(() => undefined);
  const request = await left;
  const reply = (parameters: Record<string, string>) =>
    manager.read(
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

it('overrides only what oidc-client-ts still has: read its changes before raising its version', () => {
  for (const member of ['_signinStart', '_signinEnd', '_buildUser', '_useRefreshToken', '_loadUser']) {
    expect(UserManager.prototype).toHaveProperty(member);
  }
  const manager = new UserManager({ authority: issuer, client_id: 'waypost', redirect_uri: issuer });
  expect(manager).toHaveProperty('_client.revokeToken');
  expect(manager).toHaveProperty('_client.useRefreshToken');
  expect(manager).toHaveProperty('_events.load');
});

describe('a sign-in', () => {
  it('sends a nonce of its own', async () => {
    const first = await begin(makeManager());
    const second = await begin(makeManager());
    const nonces = [first, second].map(({ request }) => request.searchParams.get('nonce'));
    expect(nonces[0]).toMatch(/^[\w-]{36}$/);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('accepts the answer of its provider', async () => {
    const { request, reply } = await begin(makeManager());
    grant({ id_token: idToken({ nonce: request.searchParams.get('nonce') }) });
    const user = await reply({ iss: issuer });
    expect(user.access_token).toBe('new');
  });

  it('refuses the answer of another provider before the code is sent anywhere', async () => {
    const { reply } = await begin(makeManager());
    await expect(reply({ iss: 'https://evil.example' })).rejects.toThrow('different provider');
    await expect(reply({})).rejects.toThrow('doesn’t identify its provider');
    expect(requests).toEqual([]);
  });

  it.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another application', { aud: 'other' }],
    ['that has expired', { exp: 1 }],
    ['with another nonce', { nonce: 'other' }],
  ])('refuses an ID token %s and stores nobody', async (_, change) => {
    const manager = makeManager();
    const { request, reply } = await begin(manager);
    grant({ id_token: idToken({ nonce: request.searchParams.get('nonce'), ...change }) });
    // The nonce's refusal is the library's, and sign-in-problem.ts knows it by its words.
    await expect(reply({ iss: issuer })).rejects.toThrow(/issuer|audience|expired|nonce in id_token/);
    expect(await manager.getUser()).toBeNull();
  });
});

it('a person has one issuer, however the provider spells it in a token', async () => {
  const { request, reply } = await begin(makeManager({ issuerAliases: ['id.example'] }));
  grant({ id_token: idToken({ nonce: request.searchParams.get('nonce'), iss: 'id.example' }) });
  expect((await reply({ iss: issuer })).profile.iss).toBe(issuer);
});

describe('where the ID token is what the server checks, a session', () => {
  const life = (user: User | null) => (user?.expires_at ?? 0) - now();

  it('lasts as long as that token, by the clock of the provider', async () => {
    const { request, reply } = await begin(makeManager({ token: 'ID_TOKEN' }));
    const nonce = request.searchParams.get('nonce');
    // The clock of this computer is five minutes slow.
    grant({ id_token: idToken({ nonce, iat: now() + 300, exp: now() + 1500 }), expires_in: 60 });
    expect(life(await reply({ iss: issuer }))).toBeGreaterThan(1190);
  });

  it('is renewed by a new one', async () => {
    const manager = makeManager({ token: 'ID_TOKEN' });
    await signedIn(manager);
    grant({ id_token: idToken({ exp: now() + 900 }), expires_in: 60 });
    expect(life(await manager.signinSilent())).toBeGreaterThan(890);
  });

  it('is renewed in a frame when a refresh brings no new one, and only once', async () => {
    const manager = makeManager({ token: 'ID_TOKEN', frame: false });
    await signedIn(manager);
    grant({ refresh_token: 'second', expires_in: 3600 });
    await expect(manager.signinSilent()).rejects.toMatchObject({ error: 'login_required' });
    expect(requests.map(({ path }) => path)).toEqual(['/token']);
    const kept = await manager.getUser();
    // The new refresh token is kept, but the session does not last longer for it.
    expect(kept?.refresh_token).toBe('second');
    expect(life(kept)).toBeLessThan(301);
  });
});

describe('a renewal', () => {
  it.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another application', { aud: 'other' }],
    ['that has expired', { exp: 1 }],
    ['of somebody else', { sub: 'bob' }],
  ])('refuses an ID token %s and keeps the session as it is', async (_, change) => {
    const manager = makeManager();
    await signedIn(manager);
    grant({ id_token: idToken(change), refresh_token: 'forged' });
    await expect(manager.signinSilent()).rejects.toThrow(/issuer|audience|expired|sub/);
    expect((await manager.getUser())?.access_token).toBe('old');
  });

  it('that is asked for four times at once is one', async () => {
    const manager = makeManager();
    await signedIn(manager);
    grant({ refresh_token: 'second' });
    const users = await Promise.all(Array.from({ length: 4 }, () => manager.signinSilent()));
    expect(users.map(user => user?.access_token)).toEqual(['new', 'new', 'new', 'new']);
    expect(requests.map(({ path }) => path)).toEqual(['/token']);
  });

  it('takes the tokens that another tab has stored while this one waited for its turn', async () => {
    const manager = makeManager();
    await signedIn(manager);
    const turn = stubTurns();
    const asked = manager.signinSilent();
    await turn.asked;
    const other = await signedIn(manager, 'of the other tab');
    other.access_token = 'of the other tab';
    other.expires_at = now() + 300;
    await manager.storeUser(other);
    turn.come();
    expect((await asked)?.access_token).toBe('of the other tab');
    expect(requests).toEqual([]);
  });

  it.each<[string, boolean, SigninSilentArgs, string | undefined, object[]]>([
    ['goes on in a frame when its refresh token has ended', true, {}, 'invalid_grant', [{}, { forceIframeAuth: true }]],
    [
      'stays with the refresh token that was asked for',
      true,
      { forceIframeAuth: false },
      'invalid_grant',
      [{ forceIframeAuth: false }],
    ],
    ['tries no frame that gets no answer', false, {}, 'invalid_grant', [{}]],
    ['tries no frame while the provider is in trouble', true, {}, 'temporarily_unavailable', [{}]],
    ['is tried in a frame once', true, { forceIframeAuth: true }, undefined, [{ forceIframeAuth: true }]],
  ])('%s', async (_, frame, asked, error, expected) => {
    const manager = makeManager({ frame });
    const user = await signedIn(manager);
    const tried = vi.spyOn(UserManager.prototype, 'signinSilent').mockImplementation(async args => {
      if (error !== undefined && args?.forceIframeAuth !== true) throw new ErrorResponse({ error });
      return user;
    });
    const outcome = await manager.signinSilent(asked).then(
      () => 'renewed',
      (reason: unknown) => (reason instanceof ErrorResponse ? reason.error : 'another error'),
    );
    expect(outcome).toBe(expected.some(args => 'forceIframeAuth' in args && args.forceIframeAuth) ? 'renewed' : error);
    expect(tried.mock.calls.map(([args]) => args)).toEqual(expected);
    tried.mockRestore();
  });

  it.each([
    ['goes on in a frame when its page may not read the refusal', true, 'renewed'],
    ['is given up when nobody answers at all', false, 'TypeError'],
  ])('%s', async (_, answers, expected) => {
    const manager = makeManager();
    const user = await signedIn(manager);
    answer = ({ mode }) => {
      if (mode === 'no-cors' && answers) return new Response();
      throw new TypeError('Failed to fetch');
    };
    const byToken = UserManager.prototype.signinSilent;
    const tried = vi.spyOn(UserManager.prototype, 'signinSilent').mockImplementation(async function (
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
    tried.mockRestore();
  });

  it('that finds no answer in the frame is tried three times, then said', async () => {
    vi.useFakeTimers();
    const frame = vi
      .spyOn(UserManager.prototype, 'signinSilent')
      .mockRejectedValue(new ErrorTimeout('IFrame timed out'));
    const manager = makeManager({}, { automaticSilentRenew: true });
    const failed = vi.fn<() => void>();
    manager.events.addSilentRenewError(failed);
    const user = await signedIn(manager);
    await manager.events.load(user);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(frame).toHaveBeenCalledTimes(3);
    expect(failed).toHaveBeenCalledOnce();
    manager.stopSilentRenew();
    frame.mockRestore();
    vi.useRealTimers();
  });

  it('asks for JSON alone: a provider that may answer pages says by a page why it refuses', async () => {
    const manager = makeManager({ frame: false });
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

  it('ends when another tab has signed out', async () => {
    const manager = makeManager();
    await signedIn(manager);
    const turn = stubTurns();
    const asked = manager.signinSilent();
    await turn.asked;
    tokens.clear();
    turn.come();
    // Which is said as “over”, and not as a danger.
    await expect(asked).rejects.toMatchObject({
      error: 'login_required',
      message: expect.stringContaining('another tab'),
    });
    expect(requests).toEqual([]);
  });
});

/** Web Locks of which this test is the other holder. */
function stubTurns() {
  const turn = new EventTarget();
  const freed = new Promise(resolve => turn.addEventListener('come', resolve));
  const asked = new Promise<void>(resolve => {
    const request = async (_: string, task: () => unknown) => {
      resolve();
      await freed;
      return task();
    };
    vi.stubGlobal('navigator', { locks: { request } });
  });
  return { asked, come: () => turn.dispatchEvent(new Event('come')) };
}

describe('a tab', () => {
  it('that was duplicated drops the tokens that it got a copy of', async () => {
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
    const original = makeManager();
    await signedIn(original);
    expect(await original.claimTab()).toBe('owner');
    expect(await original.getUser()).not.toBeNull();
    const copy = makeManager();
    expect(await copy.claimTab()).toBe('copy');
    expect(await copy.getUser()).toBeNull();
    // Its own tokens stay, however often it asks.
    await signedIn(copy);
    expect(await copy.claimTab()).toBe('copy');
    expect(await copy.getUser()).not.toBeNull();
  });
});

describe('a sign-out', () => {
  it('forgets the tokens although the provider is down', async () => {
    const manager = makeManager();
    await signedIn(manager);
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    vi.spyOn(window.location, 'assign').mockImplementation(() => {
      throw new Error('no page');
    });
    expect(await manager.signOut()).toBe('local');
    expect(await manager.getUser()).toBeNull();
  });

  it('forgets the tokens before it revokes the refresh token, and ignores how the provider answers', async () => {
    const manager = makeManager();
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

describe('a sign-out that keeps the page', () => {
  it('opens the window while the click still counts, and ends when the provider answers', async () => {
    const manager = makeManager({ logout: 'POPUP' });
    await signedIn(manager);
    const popup = vi.spyOn(manager, 'signoutPopup').mockResolvedValue();
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    expect(await manager.signOut()).toBe('local');
    expect(popup.mock.calls[0]?.[0]).toMatchObject({
      post_logout_redirect_uri: 'https://waypost.example/auth/popup.html',
      id_token_hint: expect.stringMatching(/^eyJ/),
    });
    expect(leave).not.toHaveBeenCalled();
    expect(await manager.getUser()).toBeNull();
  });

  it('leaves the page all the same where the browser opens no window', async () => {
    const manager = makeManager({ logout: 'POPUP' });
    await signedIn(manager);
    vi.stubGlobal('open', () => null);
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    expect(await manager.signOut()).toBe('provider');
    expect(leave).toHaveBeenCalledOnce();
  });

  it('is done in a hidden frame, and ends here whatever becomes of the frame', async () => {
    const manager = makeManager({ logout: 'FRAME' });
    await signedIn(manager);
    const frame = vi.spyOn(manager, 'signoutSilent').mockRejectedValue(new Error('no answer'));
    expect(await manager.signOut()).toBe('local');
    expect(frame.mock.calls[0]?.[0]).toMatchObject({
      post_logout_redirect_uri: 'https://waypost.example/auth/silent.html',
      state: {},
    });
    expect(await manager.getUser()).toBeNull();
  });

  it('forgets the sign-ins that were begun and not finished', async () => {
    const manager = makeManager({ logout: 'LOCAL' });
    await begin(manager);
    expect(JSON.stringify({ ...tokens })).toContain('code_verifier');
    await manager.signOut();
    expect(JSON.stringify({ ...tokens })).not.toContain('code_verifier');
  });
});

describe('the automatic renewal', () => {
  it.each([
    ['a third before the end of a short life', 30, 20],
    ['a minute before the end of a long one', 600, 540],
  ])('comes %s', async (_, life, due) => {
    vi.useFakeTimers();
    const manager = makeManager({}, { accessTokenExpiringNotificationTimeInSeconds: 60 });
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
  it('that cannot be seen any more is told once, and may answer all the same', async () => {
    vi.useFakeTimers();
    const manager = makeManager();
    const replace = vi.fn<(url: string) => void>();
    const opened = { close: () => {}, focus: () => {}, closed: false, location: { replace } };
    vi.stubGlobal('open', () => opened);
    const lost = vi.fn<() => void>();
    const stop = new AbortController();
    const answered = manager.signInByWindow(stop.signal, lost).catch(String);
    // What is computed on the way there takes its own time.
    await vi.waitFor(() => expect(replace).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(1000);
    expect(lost).not.toHaveBeenCalled();
    opened.closed = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(lost).toHaveBeenCalledOnce();
    stop.abort('Popup aborted');
    expect(await answered).toContain('aborted');
    vi.useRealTimers();
  });
});

describe('a provider that cannot do everything', () => {
  it('is not asked in a frame that it would leave without an answer', async () => {
    const manager = makeManager({ frame: false });
    const frame = vi.spyOn(UserManager.prototype, 'signinSilent').mockResolvedValue(null);
    await expect(manager.signinSilent()).rejects.toMatchObject({ error: 'login_required' });
    await signedIn(manager);
    await expect(manager.signinSilent({ forceIframeAuth: true })).rejects.toMatchObject({ error: 'login_required' });
    expect(frame).not.toHaveBeenCalled();
    await manager.signinSilent();
    expect(frame).toHaveBeenCalledOnce();
    frame.mockRestore();
  });

  it('is left in peace at sign-out where it has none, and keeps tokens that it cannot revoke', async () => {
    const manager = makeManager({ logout: 'LOCAL', revocation: false });
    await signedIn(manager);
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    await expect(manager.signOut()).resolves.toBe('local');
    expect(leave).not.toHaveBeenCalled();
    expect(requests.map(({ path }) => path)).not.toContain('/revocation');
    await expect(manager.getUser()).resolves.toBeNull();
  });

  it('is told where to come back to in its own words', async () => {
    const manager = makeManager({ logout: 'COGNITO' });
    await signedIn(manager);
    const leave = vi.spyOn(manager, 'signoutRedirect').mockResolvedValue();
    await expect(manager.signOut()).resolves.toBe('provider');
    expect(leave.mock.calls[0]?.[0]?.extraQueryParams).toEqual({
      client_id: 'waypost',
      logout_uri: 'https://waypost.example/signed-out',
    });
  });
});
