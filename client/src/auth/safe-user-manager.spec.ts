/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import { InMemoryWebStorage, type OidcMetadata, User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Abilities, SafeUserManager } from './safe-user-manager';
import { jwt } from './test-tokens';

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

function makeManager(abilities?: Partial<Abilities>) {
  const settings = {
    authority: issuer,
    client_id: 'waypost',
    redirect_uri: 'https://waypost.example/auth/callback',
    silent_redirect_uri: 'https://waypost.example/auth/silent.html',
    metadata,
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: tokens }),
    stateStore: new WebStorageStateStore({ store: tokens }),
    post_logout_redirect_uri: 'https://waypost.example/signed-out',
  };
  return new Subject(settings, { frame: true, logout: 'PROVIDER', revocation: true, ...abilities });
}

async function signedIn(manager: SafeUserManager, refreshToken = 'first') {
  const user = new User({
    access_token: 'old',
    refresh_token: refreshToken,
    id_token: idToken(),
    token_type: 'Bearer',
    scope: 'openid',
    profile: { iss: issuer, aud: 'waypost', sub: 'ada', exp: now() + 300, iat: now() },
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
    await expect(reply({ iss: 'https://evil.example' })).rejects.toThrow('another provider');
    await expect(reply({})).rejects.toThrow('does not say which provider');
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
    await expect(reply({ iss: issuer })).rejects.toThrow(/issuer|application|expired|nonce/);
    expect(await manager.getUser()).toBeNull();
  });
});

describe('a renewal', () => {
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

  it('ends when another tab has signed out', async () => {
    const manager = makeManager();
    await signedIn(manager);
    const turn = stubTurns();
    const asked = manager.signinSilent();
    await turn.asked;
    tokens.clear();
    turn.come();
    await expect(asked).rejects.toThrow('ended in another tab');
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
