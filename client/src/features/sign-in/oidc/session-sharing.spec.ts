/* oxlint-disable unicorn/require-post-message-target-origin -- a BroadcastChannel has its own origin only */
import { ErrorTimeout, InMemoryWebStorage, User } from 'oidc-client-ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userOf } from './fixtures';
import { SessionSharing } from './session-sharing';
import { FakeLocks } from './tab-locks.fixtures';

const tokens = (token: string, sub = 'ada', change: Partial<User> = {}) =>
  new User({ ...userOf(sub, token), refresh_token: `${token}-refresh`, ...change });

/** A tab with its storage and its tokens. A frozen tab keeps its locks and receives no messages. */
function openTab(storage: Storage = new InMemoryWebStorage()) {
  const channels: BroadcastChannel[] = [];
  const Original = BroadcastChannel;
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Original {
      constructor(name: string) {
        super(name);
        channels.push(this);
        open.push(this);
      }
    },
  );
  const tab = {
    storage,
    user: null as User | null,
    load: async () => tab.user,
    receive: async (user: User) => {
      tab.user = user;
    },
    freeze: () => {
      for (const channel of channels) {
        channel.close();
        channel.postMessage = () => {};
      }
    },
    sharing: null as unknown as SessionSharing,
    store: async (user: User, isNewSession = false) => {
      tab.user = user;
      await tab.sharing.publish(user, isNewSession);
    },
    token: () => tab.user?.access_token ?? null,
  };
  tab.sharing = new SessionSharing('https://id.example:waypost', tab);
  vi.stubGlobal('BroadcastChannel', Original);
  return tab;
}

let open: BroadcastChannel[] = [];
let locks: FakeLocks;

beforeEach(() => {
  locks = new FakeLocks();
  locks.install();
});

afterEach(() => {
  for (const channel of open) channel.close();
  open = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a new tab', () => {
  it('gets the session of another tab', async () => {
    const first = openTab();
    await first.store(tokens('a'));
    const second = openTab();
    expect(await second.sharing.join()).toBe(true);
    expect(second.user).toMatchObject({ access_token: 'a', refresh_token: 'a-refresh', profile: { sub: 'ada' } });
  });

  it('does not wait if no tab has a session', async () => {
    vi.useFakeTimers();
    openTab();
    expect(await openTab().sharing.join()).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits two seconds at most for tabs that the browser has frozen', async () => {
    const first = openTab();
    await first.store(tokens('a'));
    first.freeze();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const joined = openTab().sharing.join();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await joined).toBe(false);
  });

  it('gets no session that has ended, or that the other tab has signed out of', async () => {
    const first = openTab();
    await first.store(tokens('a', 'ada', { expires_at: 1, refresh_token: undefined as never }));
    const signedOut = openTab();
    await signedOut.store(tokens('b'), true);
    signedOut.user = null;
    signedOut.sharing.stop();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const second = openTab();
    const joined = second.sharing.join();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await joined).toBe(false);
    expect(second.token()).toBeNull();
  });

  it('shares nothing in a browser without Web Locks', async () => {
    vi.stubGlobal('navigator', {});
    const first = openTab();
    await first.store(tokens('a'));
    expect(await openTab().sharing.join()).toBe(false);
    expect(await first.sharing.exclusively(async isOutdated => isOutdated)).toBe(false);
  });
});

describe('a reloaded tab', () => {
  it('continues its own session, although a tab with another account responds', async () => {
    const ada = openTab();
    await ada.store(tokens('a'), true);
    const bob = openTab();
    await bob.store(tokens('b', 'bob'), true);
    const twin = openTab();
    twin.storage.setItem('waypost:session:https://id.example:waypost', bobVersion(bob.storage));
    // A tab that keeps its tokens in memory has none after a reload.
    const reloaded = openTab(twin.storage);
    expect(await reloaded.sharing.join()).toBe(true);
    expect(reloaded.token()).toBe('b');
  });

  it('does not switch to another account', async () => {
    const bob = openTab();
    await bob.store(tokens('b', 'bob'));
    const ada = openTab();
    ada.user = tokens('a', 'ada', { expires_at: 1 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const joined = ada.sharing.join();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await joined).toBe(false);
    expect(ada.token()).toBe('a');
  });

  const bobVersion = (storage: Storage) => storage.getItem('waypost:session:https://id.example:waypost') ?? '';
});

/** Two tabs of a session. */
async function twoTabs() {
  const first = openTab();
  await first.store(tokens('a'));
  const second = openTab();
  await second.sharing.join();
  return { first, second };
}

describe('the tabs of a session', () => {
  it('continue with the tokens that one of them has renewed', async () => {
    const { first, second } = await twoTabs();
    await second.store(tokens('b'));
    await expect.poll(first.token).toBe('b');
    await first.store(tokens('c'));
    await expect.poll(second.token).toBe('c');
  });

  it('hold one lock each, which names the version and no token', async () => {
    const { first, second } = await twoTabs();
    await second.store(tokens('secret'));
    await expect.poll(first.token).toBe('secret');
    await expect.poll(() => locks.names().length).toBe(2);
    expect(new Set(locks.names()).size).toBe(1);
    expect(locks.names().join('')).not.toContain('secret');
    expect(JSON.stringify({ ...first.storage })).not.toContain('secret');
  });

  it('renew one after the other, and find the tokens of the first renewal', async () => {
    const { first, second } = await twoTabs();
    const renewals: string[] = [];
    const renew = (tab: typeof first) =>
      tab.sharing.exclusively(async isOutdated => {
        expect(isOutdated).toBe(false);
        if (tab.token() !== 'a') return;
        renewals.push('renewal');
        await tab.store(tokens('b'));
      });
    await Promise.all([renew(first), renew(second)]);
    expect(renewals).toEqual(['renewal']);
    expect([first.token(), second.token()]).toEqual(['b', 'b']);
  });

  it('do not use a refresh token that a frozen tab has used', async () => {
    const { first, second } = await twoTabs();
    first.freeze();
    // The message is lost, the lock is not.
    await first.store(tokens('b'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outdated = second.sharing.exclusively(async isOutdated => isOutdated);
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await outdated).toBe(true);
  });

  it('report a renewal that another tab does not finish within ten seconds', async () => {
    const { first, second } = await twoTabs();
    const never = first.sharing.exclusively(() => new Promise(() => {}));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waiting = second.sharing.exclusively(async () => 'renewed').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBeInstanceOf(ErrorTimeout);
    await expect(Promise.race([never, Promise.resolve('waiting')])).resolves.toBe('waiting');
  });
});

describe('a tab that has not requested tokens', () => {
  const version = { session: 'x', number: 99 };

  it.each([
    ['of another session', { kind: 'tokens', version, user: tokens('evil').toStorageString() }],
    ['that are malformed', { kind: 'tokens', version, user: '{}' }],
    ['without a version', { kind: 'tokens', version: { session: 'x' }, user: tokens('evil').toStorageString() }],
    ['of no known kind', 'tokens'],
  ])('ignores tokens %s', async (_, message) => {
    const { first, second } = await twoTabs();
    const signedOut = openTab();
    const channel = new BroadcastChannel('waypost.session');
    open.push(channel);
    channel.postMessage(message);
    // Messages arrive in order.
    await second.store(tokens('b'));
    await expect.poll(first.token).toBe('b');
    expect(signedOut.token()).toBeNull();
  });
});
