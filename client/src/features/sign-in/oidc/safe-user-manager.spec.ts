/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import { type DPoPState, type User, UserManager } from 'oidc-client-ts';
import { describe, expect, it, vi } from 'vitest';
import { claimsOf } from './id-token';
import {
  createManager,
  grant,
  idToken,
  issuer,
  now,
  requests,
  server,
  signedIn,
  startSignIn,
} from './safe-user-manager.fixtures';
import { signInProblem } from './sign-in-problem';

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
    server.answer = () => Response.json({ error: 'invalid_grant' }, { status: 400, headers: { 'dpop-nonce': 'n' } });
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

describe('a tab', () => {
  const locks = new Set<string>();

  const stubLocks = (delay = 0) => {
    locks.clear();
    const request = async (name: string, { signal }: LockOptions, task: (lock: object | null) => unknown) => {
      await new Promise(resolve => setTimeout(resolve, delay));
      signal?.throwIfAborted();
      if (locks.has(name)) return task(null);
      locks.add(name);
      return task({ name });
    };
    vi.stubGlobal('navigator', { locks: { request } });
  };

  it('keeps its tokens if the browser is slow to grant a lock', async () => {
    stubLocks(600);
    const manager = createManager();
    await signedIn(manager);
    expect(await manager.claimTab()).toBe('owner');
    expect(await manager.getUser()).not.toBeNull();
  });

  it('waits until its previous page has released its lock', async () => {
    stubLocks();
    await createManager().claimTab();
    const claim = createManager().claimTab();
    setTimeout(() => locks.clear(), 50);
    expect(await claim).toBe('owner');
  });

  it('drops tokens that may be a copy if the browser refuses locks', async () => {
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } });
    const manager = createManager();
    await signedIn(manager);
    expect(await manager.claimTab()).toBe('copy');
    expect(await manager.getUser()).toBeNull();
  });

  it('that was duplicated drops the copied tokens', async () => {
    stubLocks();
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
    await expect.poll(() => replace).toHaveBeenCalled();
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
    await expect.poll(() => replace).toHaveBeenCalled();
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
