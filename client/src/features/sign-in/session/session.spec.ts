/* oxlint-disable unicorn/require-post-message-target-origin -- a BroadcastChannel has its own origin only */
/* oxlint-disable eslint/no-underscore-dangle -- the library marks its internal methods so */
import { ErrorResponse, ErrorTimeout, User, UserManager } from 'oidc-client-ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Provider } from '../oidc/providers';

const issuer = 'https://id.example';
const provider: Provider = { id: 'acme', name: 'Acme', issuer, clientId: 'waypost', scope: 'openid' };

const userNamed = (sub: string, token: string, life = 300) =>
  new User({
    access_token: token,
    token_type: 'Bearer',
    profile: { iss: issuer, aud: 'waypost', sub, exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + life,
  });

async function load(change: Partial<Provider> = {}) {
  vi.resetModules();
  const session = await import('./session');
  const { managerOf } = await import('../oidc/providers');
  const { FrameError } = await import('../oidc/checked-user-manager');
  return { ...session, FrameError, manager: managerOf({ ...provider, ...change }) };
}

type Page = Awaited<ReturnType<typeof load>>;

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
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'));
});

describe('the token that is sent', () => {
  const user = new User({ ...userNamed('ada', 'access'), id_token: 'id', profile: userNamed('ada', '').profile });

  it.each([
    [{}, 'access'],
    [{ token: 'ID_TOKEN' as const }, 'id'],
    [{ tokenPrefix: 'oidc-2~' }, 'oidc-2~access'],
    [{ tokenPrefix: null, token: 'ACCESS_TOKEN' as const }, 'access'],
  ])('is the one that the server checks: %j', async (change, sent) => {
    const page = await load();
    await page.manager.storeUser(user);
    await page.beginSession([{ ...provider, ...change }]);
    expect(page.accessToken()).toBe(sent);
  });
});

describe('a session that ended elsewhere', () => {
  it('ends in this tab, unless the tab has a newer token', async () => {
    const page = await signedIn();
    await page.endSession('older');
    expect(page.accessToken()).toBe('first');
    await page.endSession('first');
    expect(page.accessToken()).toBeNull();
    expect(page.sessionProblem()).toEqual({ kind: 'sessionEnded' });
    expect(await page.manager.getUser()).toBeNull();
  });
});

describe('a new page', () => {
  it('continues the session of its tab', async () => {
    const { accessToken } = await signedIn();
    expect(accessToken()).toBe('first');
  });

  it('contacts no provider if this browser has never signed in', async () => {
    const page = await load();
    const silent = vi.spyOn(page.manager, 'signinSilent');
    await page.beginSession([provider]);
    expect(page.accessToken()).toBeNull();
    expect(silent).not.toHaveBeenCalled();
  });

  it('gets a session from the provider that was used last', async () => {
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

  it('does not complain about a provider of other tabs, because the user has not tried anything yet', async () => {
    localStorage.setItem('waypost.provider', 'acme');
    const page = await load();
    vi.spyOn(page.manager, 'signinSilent').mockRejectedValue(new ErrorTimeout('IFrame timed out'));
    await page.beginSession([provider]);
    expect(page.sessionProblem()).toBeNull();
  });

  it.each([
    ['reports that it has ended', () => new ErrorResponse({ error: 'login_required' }), null],
    ['may only show an error page', (page: Page) => new page.FrameError({ error: 'interaction_required' }), 'acme'],
  ])('gets a session in new tabs unless the provider %s', async (_, error, remembered) => {
    localStorage.setItem('waypost.provider', 'acme');
    const page = await load();
    vi.spyOn(page.manager, 'signinSilent').mockRejectedValue(error(page));
    await page.beginSession([provider]);
    expect(page.sessionProblem()).toBeNull();
    expect(localStorage.getItem('waypost.provider')).toBe(remembered);
  });

  it('reports an outage if the reloaded tab kept its tokens in memory only', async () => {
    sessionStorage.setItem('waypost.provider', 'acme');
    const page = await load();
    vi.spyOn(page.manager, 'signinSilent').mockRejectedValue(new TypeError('Failed to fetch'));
    await page.beginSession([provider]);
    expect(page.sessionProblem()).toMatchObject({ kind: 'unreachable' });
  });

  it.each([
    [new TypeError('Failed to fetch'), 'unreachable'],
    [new ErrorResponse({ error: 'temporarily_unavailable' }), 'unavailable'],
  ])('keeps the tokens of an expired session if the provider is not available: %s', async (error, kind) => {
    const page = await load();
    await page.manager.storeUser(userNamed('ada', 'old', -10));
    vi.spyOn(page.manager, 'signinSilent').mockRejectedValue(error);
    await page.beginSession([provider]);
    expect(page.accessToken()).toBeNull();
    expect(page.sessionProblem()).toMatchObject({ kind });
    expect(await page.manager.getUser()).not.toBeNull();
  });
});

describe('a page after a response of an unknown sign-in', () => {
  it('explains why it offers to sign in, once', async () => {
    const page = await load();
    page.reportUnknownResponse();
    await page.beginSession([provider]);
    expect(page.sessionProblem()).toEqual({ kind: 'unknownState' });
    const reloaded = await load();
    await reloaded.beginSession([provider]);
    expect(reloaded.sessionProblem()).toBeNull();
  });

  it('needs no explanation if there is a session', async () => {
    const page = await load();
    page.reportUnknownResponse();
    await page.manager.storeUser(userNamed('ada', 'first'));
    await page.beginSession([provider]);
    expect(page.sessionProblem()).toBeNull();
  });
});

it('claims the tab on the callback page, so that a duplicate of the tab drops the tokens', async () => {
  window.history.replaceState(null, '', '/auth/callback?code=1');
  const page = await load();
  const claim = vi.spyOn(page.manager, 'claimTab');
  await page.beginSession([provider]);
  expect(claim).toHaveBeenCalledOnce();
  window.history.replaceState(null, '', '/');
});

describe('a renewal after a rejected token', () => {
  it('happens at most once a minute, but also right after a reload', async () => {
    const { manager, renewSession } = await signedIn();
    const silent = vi.spyOn(manager, 'signinSilent').mockImplementation(async () => {
      const user = userNamed('ada', `new at ${Date.now()}`);
      await manager.events.load(user);
      return user;
    });
    expect(await renewSession()).toBe(true);
    expect(await renewSession()).toBe(true);
    expect(silent).toHaveBeenCalledTimes(1);
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    expect(await renewSession()).toBe(true);
    expect(await renewSession()).toBe(true);
    expect(silent).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it('reports its failure until one succeeds', async () => {
    const { manager, renewSession, sessionProblem } = await signedIn(userNamed('ada', 'old'));
    vi.useFakeTimers({ now: Date.now() + 5000, toFake: ['Date'] });
    vi.spyOn(manager, 'signinSilent').mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await renewSession()).toBe(false);
    expect(sessionProblem()).toMatchObject({ kind: 'unreachable' });
    await manager.events.load(userNamed('ada', 'new'));
    expect(sessionProblem()).toBeNull();
    vi.useRealTimers();
  });
});

describe('a renewal that fails temporarily', () => {
  it('is repeated until it succeeds, without an action of the user', async () => {
    vi.useFakeTimers();
    const { manager, sessionProblem, accessToken } = await signedIn(userNamed('ada', 'old', 60));
    const silent = vi.spyOn(manager, 'signinSilent').mockRejectedValue(new ErrorTimeout('Network timed out'));
    await manager.events._raiseSilentRenewError(new ErrorTimeout('Network timed out'));
    expect(sessionProblem()).toMatchObject({ kind: 'unreachable' });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(accessToken()).toBeNull();
    const failedCount = silent.mock.calls.length;
    expect(failedCount).toBeGreaterThan(6);
    expect(failedCount).toBeLessThan(12);
    silent.mockImplementation(async () => {
      const user = userNamed('ada', 'new');
      await manager.events.load(user);
      return user;
    });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(accessToken()).toBe('new');
    expect(sessionProblem()).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(silent).toHaveBeenCalledTimes(failedCount + 1);
    vi.useRealTimers();
  });

  it('is not repeated after a sign-out', async () => {
    vi.useFakeTimers();
    const { manager } = await signedIn();
    const silent = vi.spyOn(manager, 'signinSilent').mockRejectedValue(new TypeError('Failed to fetch'));
    await manager.events._raiseSilentRenewError(new TypeError('Failed to fetch'));
    await manager.removeUser();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(silent).not.toHaveBeenCalled();
    vi.useRealTimers();
  });
});

describe('a sign-out that does not end the session of the provider', () => {
  it('is remembered in this tab until the next sign-in', async () => {
    const { signOut, manager } = await signedIn();
    vi.spyOn(manager, 'signOut').mockResolvedValue('local');
    await signOut();
    expect(sessionStorage.getItem('waypost.still-signed-in')).toBe('acme');
    await manager.events.load(userNamed('ada', 'next'));
    expect(sessionStorage.getItem('waypost.still-signed-in')).toBeNull();
  });

  it.each(['ended', 'provider'] as const)('is not assumed after the result %s', async result => {
    const { signOut, manager } = await signedIn();
    vi.spyOn(manager, 'signOut').mockResolvedValue(result);
    await signOut();
    expect(sessionStorage.getItem('waypost.still-signed-in')).toBeNull();
  });
});

describe('a page that other tabs share a session with', () => {
  it('joins it instead of contacting the provider', async () => {
    localStorage.setItem('waypost.provider', 'acme');
    const page = await load();
    const silent = vi.spyOn(page.manager, 'signinSilent');
    vi.spyOn(page.manager, 'joinTabs').mockImplementation(async () => {
      await page.manager.events.load(userNamed('ada', 'shared'));
      return true;
    });
    await page.beginSession([provider]);
    expect(page.accessToken()).toBe('shared');
    expect(silent).not.toHaveBeenCalled();
  });

  it('asks no tab if this browser has signed out', async () => {
    const page = await load();
    const join = vi.spyOn(page.manager, 'joinTabs');
    await page.beginSession([provider]);
    expect(join).not.toHaveBeenCalled();
  });
});

describe('the sign-out notification', () => {
  it('is sent at a sign-out before the provider is contacted', async () => {
    const { onSignedOut, accessToken, signOut } = await signedIn();
    const onSignOut = vi.fn<() => void>();
    onSignedOut(onSignOut);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await signOut()).toBe('local');
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(accessToken()).toBeNull();
  });

  it('is accepted from another tab of the same account only', async () => {
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

  it('is sent if another account signs in at the same tab', async () => {
    const { manager, onSignedOut, accessToken } = await signedIn();
    const onSignOut = vi.fn<() => void>();
    onSignedOut(onSignOut);
    await manager.events.load(userNamed('ada', 'renewed'));
    expect(onSignOut).not.toHaveBeenCalled();
    await manager.events.load(userNamed('bob', 'of bob'));
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(accessToken()).toBe('of bob');
  });
});

describe('the tokens of a session that ends', () => {
  const ended = (send: { mock: { calls: unknown[][] } }, account: string) =>
    send.mock.calls
      .filter(([url]) => url === '/auth/sign-out')
      .map(([, init]) => String((init as RequestInit).body).replace('token=', ''))
      .filter(token => token.startsWith(account));

  const renewedPage = async (account: string) => {
    const page = await signedIn(userNamed(account, `${account}-1`));
    const renewed = userNamed(account, `${account}-2`);
    await page.manager.storeUser(renewed);
    await page.manager.events.load(renewed);
    return { ...page, send: vi.mocked(fetch) };
  };

  it('are ended at the server by a sign-out, also those that a renewal has replaced', async () => {
    const { send, signOut } = await renewedPage('ann');
    await signOut();
    expect(ended(send, 'ann')).toEqual(['ann-1', 'ann-2']);
    expect(send).toHaveBeenCalledWith('/auth/sign-out', expect.objectContaining({ method: 'POST', keepalive: true }));
  });

  it('are remembered after a reload, but not in a duplicated tab', async () => {
    const { send } = await renewedPage('bea');
    const reloaded = await load();
    await reloaded.beginSession([provider]);
    await reloaded.signOut();
    expect(ended(send, 'bea')).toEqual(['bea-1', 'bea-2']);

    await renewedPage('cid');
    const duplicate = await load();
    vi.spyOn(duplicate.manager, 'claimTab').mockResolvedValue('copy');
    vi.spyOn(duplicate.manager, 'signinSilent').mockRejectedValue(new Error('no session'));
    await duplicate.beginSession([provider]);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('cid-1');
  });

  it('are ended by the sign-out of another tab', async () => {
    const { send } = await renewedPage('eve');
    new BroadcastChannel('waypost.signed-out').postMessage(JSON.stringify([issuer, 'eve']));
    await expect.poll(() => ended(send, 'eve')).toEqual(['eve-1', 'eve-2']);
  });

  it('are not ended if another account signs in, because other tabs may have the same session', async () => {
    const { send, manager, signOut } = await renewedPage('fay');
    const other = userNamed('gus', 'gus-1');
    await manager.storeUser(other);
    await manager.events.load(other);
    await signOut();
    expect(ended(send, '')).toContain('gus-1');
    expect(ended(send, 'fay')).toEqual([]);
  });
});

describe('a session that the provider ends', () => {
  it('ends in all tabs if the provider is monitored', async () => {
    const { manager, accessToken, onSignedOut } = await signedIn();
    const onSignOut = vi.fn<() => void>();
    onSignedOut(onSignOut);
    const otherTab = new BroadcastChannel('waypost.signed-out');
    const message = new Promise(resolve => otherTab.addEventListener('message', ({ data }) => resolve(data)));
    // Raised only by its session monitor.
    await manager.events._raiseUserSignedOut();
    expect(accessToken()).toBeNull();
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(await message).toBe(JSON.stringify([issuer, 'ada']));
    expect(localStorage.getItem('waypost.provider')).toBeNull();
    otherTab.close();
  });

  it('is monitored only if the server enables that, because it needs third-party cookies', async () => {
    expect((await load()).manager.settings.monitorSession).toBe(false);
    expect((await load({ monitored: true })).manager.settings.monitorSession).toBe(true);
  });
});

describe('tokens', () => {
  const stored = () => ({ local: JSON.stringify({ ...localStorage }), tab: JSON.stringify({ ...sessionStorage }) });

  it('are stored in sessionStorage, never in localStorage', async () => {
    const { accessToken } = await signedIn(userNamed('ada', 'secret-token'));
    expect(accessToken()).toBe('secret-token');
    expect(stored().local).not.toContain('secret-token');
    expect(stored().tab).toContain('secret-token');
  });

  it('are not stored if the server requires memory', async () => {
    const page = await load({ tokenStore: 'MEMORY' });
    await page.manager.storeUser(userNamed('ada', 'secret-token'));
    await page.beginSession([{ ...provider, tokenStore: 'MEMORY' }]);
    expect(page.accessToken()).toBe('secret-token');
    expect(stored().local + stored().tab).not.toContain('secret-token');
  });

  it('are not written to the console or the address if a renewal fails', async () => {
    const printed: unknown[] = [];
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...text) => void printed.push(...text));
    }
    const user = userNamed('ada', 'secret-token');
    user.refresh_token = 'secret-refresh';
    const { manager, renewManually, sessionProblem } = await signedIn(user);
    vi.stubGlobal('fetch', async () =>
      Response.json({ error: 'invalid_grant', hint: 'secret-refresh' }, { status: 400 }),
    );
    const failure = await renewManually('refresh-token', () => {});
    expect(failure).toMatchObject({ kind: expect.stringMatching(/sessionEnded|rejected|unknown/) });
    expect(JSON.stringify([printed, failure, sessionProblem(), window.location.href])).not.toContain('secret-');
    await manager.removeUser();
    expect(stored().tab).not.toContain('secret-');
  });
});

describe('a computer that wakes up after the end of its session', () => {
  it('renews once for several events', async () => {
    // Pages of earlier tests listen to the events, too.
    vi.spyOn(UserManager.prototype, 'signinSilent').mockReturnValue(new Promise(() => {}));
    const { manager } = await signedIn(userNamed('ada', 'old'));
    const silent = vi.spyOn(manager, 'signinSilent').mockImplementation(async () => {
      const user = userNamed('ada', 'new');
      await manager.events.load(user);
      return user;
    });
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => silent).toHaveBeenCalled();
    await silent.mock.results[0]?.value;
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(silent).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });
});
