import { AuthProvider } from 'react-oidc-context';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Viewer } from '../../../generated/documents/Viewer';
import { client } from '../../../shared/api/client';
import { act, cleanup, fireEvent, render, screen } from '../../../shared/testing';
import { provider, userOf } from '../oidc/fixtures';
import { managerOf } from '../oidc/providers';
import { beginSession } from '../session/session';
import { requestNames } from '../session/userinfo';
import { SessionMenu } from './SessionMenu';

async function openMenu(names: object, viewerName: string, endsAt?: Date, subject = 'f3a1') {
  client.writeQuery({
    query: Viewer,
    data: {
      viewer: {
        account: { id: 'a', name: viewerName, email: null, avatarUrl: null },
        mayCreateWorkspaces: true,
        memberships: [],
      },
    },
  });
  const manager = managerOf(provider);
  const user = userOf(subject, 'token');
  user.profile = { ...user.profile, ...names };
  if (endsAt) user.expires_at = endsAt.getTime() / 1000;
  await manager.storeUser(user);
  render(
    <AuthProvider userManager={manager}>
      <SessionMenu />
    </AuthProvider>,
  );
  const button = await screen.findByRole('button', { name: /^Account menu/ });
  await act(async () => {
    fireEvent.pointerDown(button, { button: 0 });
    fireEvent.click(button);
  });
  return button;
}

/** Opens the details of the sign-in from the open menu, and returns a button in them. */
async function openDetails(button: string) {
  // Menu and dialog are loaded when they first open.
  const item = await screen.findByRole('menuitem', { name: 'Sign-in details' });
  await act(async () => void fireEvent.click(item));
  return screen.findByRole('button', { name: button });
}

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal('isSecureContext', true);
});
afterEach(async () => {
  cleanup();
  await client.clearStore();
});

it.each([
  ['has the name of the ID token', { name: 'Ada' }, 'Ada Lovelace', 'Account menu of Ada'],
  ['has the server’s name if the ID token has none', {}, 'Ada Lovelace', 'Account menu of Ada Lovelace'],
  ['has no name if both know only the subject', {}, 'f3a1', 'Account menu'],
])('%s', async (_, names, viewerName, expected) => {
  const button = await openMenu(names, viewerName);
  expect(button.getAttribute('aria-label')).toBe(expected);
  expect(document.body.textContent).not.toContain('f3a1');
});

describe('without a name in the ID token and on the server', () => {
  const USERINFO = 'https://id.example/me';

  /** Opens the menu of an account, whose names are requested once per page. Returns its label and the request. */
  async function openWith(subject: string, userinfo: () => Response) {
    const send = vi.fn<typeof fetch>(async input => {
      if (input === USERINFO) return userinfo();
      return Response.json({ issuer: provider.issuer, userinfo_endpoint: USERINFO });
    });
    vi.stubGlobal('fetch', send);
    await beginSession([provider]);
    await openMenu({}, subject, undefined, subject);
    const names = requestNames(JSON.stringify([provider.issuer, subject]));
    await act(async () => void (await names.catch(() => undefined)));
    const request = send.mock.calls.find(([url]) => url === USERINFO)?.[1];
    // The menu is loaded when it first opens, and then replaces the button.
    return { request, label: () => document.querySelector('[aria-label^="Account menu"]')?.getAttribute('aria-label') };
  }

  it('has the name and the e-mail address of userinfo', async () => {
    const { request, label } = await openWith('ada', () =>
      Response.json({ sub: 'ada', name: 'Ada King', email: 'ada@example.com' }),
    );
    expect(new Headers(request?.headers).get('authorization')).toBe('Bearer token');
    await expect.poll(label).toBe('Account menu of Ada King');
    await expect.poll(() => document.body.textContent).toContain('ada@example.com');
  });

  it.each([
    ['another subject', () => Response.json({ sub: 'other', name: 'Eve' })],
    ['an error', () => Response.json({ error: 'invalid_token' }, { status: 401 })],
    ['a page', () => new Response('<h1>Eve</h1>', { headers: { 'content-type': 'text/html' } })],
  ])('has no name if userinfo returns %s', async (name, userinfo) => {
    const { request, label } = await openWith(`with ${name}`, userinfo);
    expect(request).toBeDefined();
    expect(label()).toBe('Account menu');
  });
});

it('shows the date of a session that ends on another day', async () => {
  const endsAt = new Date();
  endsAt.setDate(endsAt.getDate() + 10);
  await openMenu({ name: 'Ada' }, 'Ada', endsAt);
  await openDetails('Renew session in a window');
  const hasYear = () =>
    expect(document.querySelector('time')?.textContent ?? '').toContain(String(endsAt.getFullYear()));
  hasYear();
});

it('explains a renewal that takes long, until it has succeeded', async () => {
  await openMenu({ name: 'Ada' }, 'Ada');
  await beginSession([provider]);
  const manager = managerOf(provider);
  let respond: () => void = () => {};
  vi.spyOn(manager, 'signinSilent').mockReturnValue(new Promise(resolve => (respond = () => resolve(null))));
  const renewal = await openDetails('Renew session in hidden frame');
  vi.useFakeTimers();
  await act(async () => void fireEvent.click(renewal));
  act(() => void vi.runOnlyPendingTimers());
  vi.useRealTimers();
  const dialog = await screen.findByRole('dialog', { name: 'Session not renewed yet' });
  // Its content is loaded when it opens.
  await expect.poll(() => dialog.textContent).toContain('Acme hasn’t responded yet.');
  const renewed = userOf('f3a1', 'renewed');
  renewed.expires_at = (renewed.expires_at ?? 0) + 60;
  await act(async () => {
    await manager.events.load(renewed);
    respond();
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});
