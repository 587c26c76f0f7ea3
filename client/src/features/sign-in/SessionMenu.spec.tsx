import { AuthProvider } from 'react-oidc-context';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Viewer } from '../../generated/documents/Viewer';
import { client } from '../../shared/api/client';
import { act, cleanup, fireEvent, render, screen } from '../../shared/testing';
import { provider, userOf } from './fixtures';
import { managerOf } from './providers';
import { beginSession } from './session';
import { SessionMenu } from './SessionMenu';

async function openMenu(names: object, viewerName: string, endsAt?: Date) {
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
  const user = userOf('f3a1', 'token');
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
