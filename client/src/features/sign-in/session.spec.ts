/* oxlint-disable unicorn/require-post-message-target-origin -- a BroadcastChannel has its own origin only */
import { ErrorResponse, User, UserManager } from 'oidc-client-ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Provider } from './providers';

const issuer = 'https://id.example';
const provider: Provider = { id: 'acme', name: 'Acme', issuer, clientId: 'waypost', scope: 'openid' };

const userNamed = (sub: string, token: string, life = 300) =>
  new User({
    access_token: token,
    token_type: 'Bearer',
    profile: { iss: issuer, aud: 'waypost', sub, exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + life,
  });

/** A fresh copy of the module, as after a reload of the page. */
async function load(change: Partial<Provider> = {}) {
  vi.resetModules();
  const session = await import('./session');
  const { managerOf } = await import('./providers');
  return { ...session, manager: managerOf({ ...provider, ...change }) };
}

async function signedIn(user = userNamed('ada', 'first')) {
  const page = await load();
  await page.manager.storeUser(user);
  await page.beginSession([provider]);
  return page;
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.stubGlobal('isSecureContext', true);
});

describe('what is sent to the server', () => {
  const user = new User({ ...userNamed('ada', 'access'), id_token: 'id', profile: userNamed('ada', '').profile });

  it.each([
    [{}, 'access'],
    [{ token: 'ID_TOKEN' as const }, 'id'],
    [{ tokenPrefix: 'oidc-2~' }, 'oidc-2~access'],
    [{ tokenPrefix: null, token: 'ACCESS_TOKEN' as const }, 'access'],
  ])('is the token that it checks: %j', async (change, sent) => {
    const page = await load();
    await page.manager.storeUser(user);
    await page.beginSession([{ ...provider, ...change }]);
    expect(page.accessToken()).toBe(sent);
  });
});

describe('a page that opens', () => {
  it('goes on with the session of its tab', async () => {
    const { accessToken } = await signedIn();
    expect(accessToken()).toBe('first');
  });

  it('asks nobody when this browser has never signed in', async () => {
    const page = await load();
    const silent = vi.spyOn(page.manager, 'signinSilent');
    await page.beginSession([provider]);
    expect(page.accessToken()).toBeNull();
    expect(silent).not.toHaveBeenCalled();
  });

  it('asks the provider that was used last for a session', async () => {
    localStorage.setItem('waypost.provider', 'acme');
    const page = await load();
    vi.spyOn(page.manager, 'signinSilent').mockImplementation(async () => {
      const user = userNamed('ada', 'resumed');
      await page.manager.storeUser(user);
      await page.manager.events.load(user);
      return user;
    });
    await page.beginSession([provider]);
    expect(page.accessToken()).toBe('resumed');
  });

  it.each([
    [new TypeError('Failed to fetch'), 'unreachable'],
    [new ErrorResponse({ error: 'temporarily_unavailable' }), 'busy'],
  ])('keeps the tokens of an expired session while the provider does not answer: %s', async (error, kind) => {
    const page = await load();
    await page.manager.storeUser(userNamed('ada', 'old', -10));
    vi.spyOn(page.manager, 'signinSilent').mockRejectedValue(error);
    await page.beginSession([provider]);
    expect(page.accessToken()).toBeNull();
    expect(page.sessionProblem()).toMatchObject({ kind });
    expect(await page.manager.getUser()).not.toBeNull();
  });
});

it('the page that takes the answer of a full-page sign-in claims its tokens, so that a duplicate of the tab drops them', async () => {
  window.history.replaceState(null, '', '/auth/callback?code=1');
  const page = await load();
  const claim = vi.spyOn(page.manager, 'claimTab');
  await page.beginSession([provider]);
  expect(claim).toHaveBeenCalledOnce();
  window.history.replaceState(null, '', '/');
});

describe('a renewal that the server causes', () => {
  it('happens once a minute at most, so that a server that refuses every token causes no storm', async () => {
    const { manager, renewSession } = await signedIn();
    const silent = vi.spyOn(manager, 'signinSilent');
    expect(await renewSession()).toBe(true);
    expect(silent).not.toHaveBeenCalled();
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    silent.mockImplementation(async () => {
      const user = userNamed('ada', 'second');
      await manager.events.load(user);
      return user;
    });
    expect(await renewSession()).toBe(true);
    expect(await renewSession()).toBe(true);
    expect(silent).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });

  it('that fails says why, until one succeeds', async () => {
    const { manager, renewSession, sessionProblem } = await signedIn(userNamed('ada', 'old', 1));
    vi.useFakeTimers({ now: Date.now() + 5000, toFake: ['Date'] });
    vi.spyOn(manager, 'signinSilent').mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await renewSession()).toBe(false);
    expect(sessionProblem()).toMatchObject({ kind: 'unreachable' });
    await manager.events.load(userNamed('ada', 'new'));
    expect(sessionProblem()).toBeNull();
    vi.useRealTimers();
  });
});

describe('the news that somebody signed out', () => {
  it('comes at a sign-out, before the provider is asked anything', async () => {
    const { onSignedOut, accessToken, signOut } = await signedIn();
    const told = vi.fn<() => void>();
    onSignedOut(told);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await signOut()).toBe('local');
    expect(told).toHaveBeenCalledTimes(1);
    expect(accessToken()).toBeNull();
  });

  it('comes from another tab of the same person only', async () => {
    const { onSignedOut, accessToken } = await signedIn();
    const gone = new Promise<void>(resolve => {
      onSignedOut(resolve);
    });
    const otherTab = new BroadcastChannel('waypost.signed-out');
    otherTab.postMessage(JSON.stringify([issuer, 'bob']));
    otherTab.postMessage(JSON.stringify([issuer, 'ada']));
    await gone;
    expect(accessToken()).toBeNull();
    otherTab.close();
  });

  it('comes when another person signs in at the same tab', async () => {
    const { manager, onSignedOut, accessToken } = await signedIn();
    const told = vi.fn<() => void>();
    onSignedOut(told);
    await manager.events.load(userNamed('ada', 'renewed'));
    expect(told).not.toHaveBeenCalled();
    await manager.events.load(userNamed('bob', 'of bob'));
    expect(told).toHaveBeenCalledTimes(1);
    expect(accessToken()).toBe('of bob');
  });
});

describe('a session that the provider ends', () => {
  it('ends here and in the other tabs, where the provider is watched', async () => {
    const { manager, accessToken, onSignedOut } = await signedIn();
    const told = vi.fn<() => void>();
    onSignedOut(told);
    const otherTab = new BroadcastChannel('waypost.signed-out');
    const heard = new Promise(resolve => otherTab.addEventListener('message', ({ data }) => resolve(data)));
    // The library's own event, which only its session monitor raises.
    // oxlint-disable-next-line eslint/no-underscore-dangle
    await manager.events._raiseUserSignedOut();
    expect(accessToken()).toBeNull();
    expect(told).toHaveBeenCalledTimes(1);
    expect(await heard).toBe(JSON.stringify([issuer, 'ada']));
    expect(localStorage.getItem('waypost.provider')).toBeNull();
    otherTab.close();
  });

  it('is watched only where the server says so: it needs cookies in frames', async () => {
    expect((await load()).manager.settings.monitorSession).toBe(false);
    expect((await load({ monitored: true })).manager.settings.monitorSession).toBe(true);
  });
});

describe('tokens', () => {
  const stored = () => ({ local: JSON.stringify({ ...localStorage }), tab: JSON.stringify({ ...sessionStorage }) });

  it('are kept in the tab, never in localStorage', async () => {
    const { accessToken } = await signedIn(userNamed('ada', 'secret-token'));
    expect(accessToken()).toBe('secret-token');
    expect(stored().local).not.toContain('secret-token');
    expect(stored().tab).toContain('secret-token');
  });

  it('are in no storage at all where the server says memory', async () => {
    const page = await load({ tokenStore: 'MEMORY' });
    await page.manager.storeUser(userNamed('ada', 'secret-token'));
    await page.beginSession([{ ...provider, tokenStore: 'MEMORY' }]);
    expect(page.accessToken()).toBe('secret-token');
    expect(stored().local + stored().tab).not.toContain('secret-token');
  });

  it('are written to no log and no address, whatever fails', async () => {
    const printed: unknown[] = [];
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...text) => void printed.push(...text));
    }
    const user = userNamed('ada', 'secret-token');
    user.refresh_token = 'secret-refresh';
    const { manager, renewBy, sessionProblem } = await signedIn(user);
    vi.stubGlobal('fetch', async () =>
      Response.json({ error: 'invalid_grant', hint: 'secret-refresh' }, { status: 400 }),
    );
    const failure = await renewBy('refresh-token', () => {});
    expect(failure).toMatchObject({ kind: expect.stringMatching(/over|refused|unknown/) });
    expect(JSON.stringify([printed, failure, sessionProblem(), window.location.href])).not.toContain('secret-');
    await manager.removeUser();
    expect(stored().tab).not.toContain('secret-');
  });
});

describe('a laptop that wakes up after the end of its session', () => {
  it('asks for one token, however many events tell', async () => {
    // Pages of earlier tests hear the events too.
    vi.spyOn(UserManager.prototype, 'signinSilent').mockReturnValue(new Promise(() => {}));
    const { manager } = await signedIn(userNamed('ada', 'old', 1));
    const silent = vi.spyOn(manager, 'signinSilent').mockImplementation(async () => {
      const user = userNamed('ada', 'new');
      await manager.events.load(user);
      return user;
    });
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.waitFor(() => expect(silent).toHaveBeenCalled());
    await silent.mock.results[0]?.value;
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(silent).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });
});
