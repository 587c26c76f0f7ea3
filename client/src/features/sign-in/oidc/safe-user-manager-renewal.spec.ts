// Renewal: by refresh token, in a hidden frame, and its failures.

import { ErrorResponse, ErrorTimeout, type SigninSilentArgs, User, UserManager } from 'oidc-client-ts';
import { describe, expect, it, vi } from 'vitest';
import { CorsError, UnavailableError } from './network-cause';
import {
  createManager,
  grant,
  idToken,
  issuer,
  now,
  PROFILE,
  requests,
  server,
  signedIn,
  startSignIn,
  type TestUserManager,
} from './safe-user-manager.fixtures';
import { signInProblem } from './sign-in-problem';

const revokedTokens = () => requests.filter(({ path }) => path === '/revocation').map(({ form }) => form.get('token'));

describe('a renewal', () => {
  it.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another application', { aud: 'other' }],
    ['of another account', { sub: 'bob' }],
  ])('rejects an ID token %s, keeps the session and revokes the new refresh token', async (_, change) => {
    vi.stubGlobal('isSecureContext', true);
    const manager = createManager();
    await signedIn(manager);
    grant({ id_token: idToken(change), refresh_token: 'forged' });
    const failure: unknown = await manager.signinSilent().catch((error: unknown) => error);
    expect(signInProblem(failure, 'silent').kind).toBe('untrusted');
    expect(await manager.getUser()).toMatchObject({ access_token: 'old', refresh_token: 'first' });
    expect(revokedTokens()).toEqual(['forged']);
  });

  it.each<[string, object]>([
    ['a later sign-in on another device', { auth_time: now() + 60 }],
    ['neither the time of the sign-in nor an authorized party', {}],
  ])('accepts an ID token with %s', async (_, claims) => {
    const manager = createManager({ frame: false });
    const user = await signedIn(manager);
    await manager.storeUser(new User({ ...user, id_token: idToken({ auth_time: now() - 60, azp: 'waypost' }) }));
    grant({ id_token: idToken(claims), refresh_token: 'second' });
    const renewed = await manager.signinSilent();
    expect(renewed).toMatchObject({ access_token: 'new', refresh_token: 'second', profile: { sub: 'ada' } });
  });

  it.each<[string, string]>([
    ['has expired', idToken({ exp: 1 })],
    ['is from the future', idToken({ iat: now() + 3600 })],
    ['has no subject', idToken({ sub: undefined })],
    ['is of an earlier sign-in', idToken({ auth_time: now() - 3600 })],
    ['is no JWT', 'nonsense'],
  ])(
    'requires a new sign-in, keeps the refresh token and raises no alarm if the ID token %s',
    async (_, newIdToken) => {
      vi.stubGlobal('isSecureContext', true);
      const manager = createManager({ frame: false });
      const user = await signedIn(manager);
      await manager.storeUser(new User({ ...user, id_token: idToken({ auth_time: now() }) }));
      grant({ id_token: newIdToken, refresh_token: 'second' });
      const failure: unknown = await manager.signinSilent().catch((error: unknown) => error);
      expect(signInProblem(failure, 'silent').kind).toBe('sessionEnded');
      expect(await manager.getUser()).toMatchObject({ access_token: 'old', refresh_token: 'second' });
      expect(revokedTokens()).toEqual([]);
    },
  );

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
    server.answer = async ({ url }) => {
      if (!url.endsWith('/token')) return new Response();
      await act(manager);
      return Response.json({ access_token: 'new', refresh_token: 'second', token_type: 'Bearer', expires_in: 300 });
    };
    const result = manager.signinSilent({ forceIframeAuth: false });
    return { manager, result };
  }
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
    ['continues in a frame if it rejects the client', true, {}, 'invalid_client', [{}, { forceIframeAuth: true }]],
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
    server.answer = ({ url }) => {
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
    server.answer = ({ headers }) => {
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
    server.answer = request => hangs(request, headers);
    const first = manager.signinSilent().catch((error: unknown) => error);
    await expect.poll(() => requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await first).toBeInstanceOf(ErrorTimeout);
    grant({ refresh_token: 'second' });
    expect((await manager.signinSilent())?.access_token).toBe('new');
    vi.useRealTimers();
  });

  it('is reported by the automatic renewal at the first timeout', async () => {
    vi.useFakeTimers();
    const manager = createManager({ frame: false }, { automaticSilentRenew: true });
    const failed = vi.fn<(error: Error) => void>();
    manager.events.addSilentRenewError(failed);
    server.answer = request => hangs(request, false);
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
    server.answer = response;
    const manager = createManager();
    const frame = stubFrame(manager);
    const result = manager.signinSilent().catch((error: unknown) => error);
    await frame.opened;
    if (loads) frame.element.dispatchEvent(new Event('load'));
    frame.timeOut();
    expect(await result).toMatchObject(expected);
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
    server.answer = () => page(status);
    await expect(manager.signinSilent()).rejects.toThrow(message);
    await expect(reply({ iss: issuer })).rejects.toThrow(message);
  });

  it('without CORS headers is distinguished from missing CORS by an earlier response', async () => {
    const manager = createManager({ frame: false });
    const { reply } = await startSignIn(manager);
    server.answer = ({ mode }) => {
      if (mode === 'no-cors') return new Response();
      throw new TypeError('Failed to fetch');
    };
    await expect(reply({ iss: issuer })).rejects.toBeInstanceOf(CorsError);
    await signedIn(manager);
    await expect(manager.signinSilent()).rejects.toBeInstanceOf(UnavailableError);
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
