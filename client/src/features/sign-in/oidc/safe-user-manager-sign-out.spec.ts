import { ErrorResponse, User, UserManager } from 'oidc-client-ts';
import { describe, expect, it, vi } from 'vitest';
import { jwt } from './fixtures';
import { createManager, PROFILE, requests, server, signedIn, startSignIn, tokens } from './safe-user-manager.fixtures';

describe('a sign-out', () => {
  it('removes the tokens if the provider is down', async () => {
    const manager = createManager();
    await signedIn(manager);
    server.answer = () => Promise.reject(new TypeError('Failed to fetch'));
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
    server.answer = async () => {
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
    server.answer = ({ url }) =>
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
    expect(await manager.signOut()).toBe('ended');
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

  it.each([
    ['ends the provider’s session', 'ended'],
    ['reports that it may still exist', 'local'],
  ])('uses a hidden frame and %s', async (_, expected) => {
    const manager = createManager({ logout: 'FRAME' });
    await signedIn(manager);
    const frame = vi.spyOn(manager, 'signoutSilent').mockImplementation(async () => {
      if (expected === 'local') throw new Error('no answer');
    });
    expect(await manager.signOut()).toBe(expected);
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
