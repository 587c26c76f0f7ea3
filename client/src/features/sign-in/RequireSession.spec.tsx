import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { User } from 'oidc-client-ts';
import { AuthProvider } from 'react-oidc-context';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { provider, userOf } from './fixtures';
import { managerOf } from './providers';
import { RequireSession } from './RequireSession';

/** Signs Ada in and lets her write something into a screen. */
async function adaWrites() {
  const manager = managerOf(provider);
  await manager.storeUser(userOf('ada', 'first'));
  render(
    <AuthProvider userManager={manager}>
      <RequireSession>
        <input aria-label="Title" defaultValue="" />
      </RequireSession>
    </AuthProvider>,
  );
  fireEvent.input(await screen.findByLabelText('Title'), { target: { value: 'Of Ada' } });
  return (user: User) => act(() => manager.events.load(user));
}

const title = () => screen.getByLabelText<HTMLInputElement>('Title').value;

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal('isSecureContext', true);
});
afterEach(cleanup);

it('the screen stays when the same person signs in again', async () => {
  const signIn = await adaWrites();
  await signIn(userOf('ada', 'second'));
  expect(title()).toBe('Of Ada');
});

it('the screen begins anew when somebody else signs in at the same tab', async () => {
  const signIn = await adaWrites();
  await signIn(userOf('bob', 'of Bob'));
  expect(title()).toBe('');
});

it('a subject of another issuer is somebody else', async () => {
  const signIn = await adaWrites();
  await signIn(userOf('ada', 'of the other Ada', 'https://other.example'));
  expect(title()).toBe('');
});
