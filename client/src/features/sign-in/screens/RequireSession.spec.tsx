import type { User } from 'oidc-client-ts';
import { AuthProvider } from 'react-oidc-context';
import { beforeEach, expect, it, vi } from 'vitest';
import { act, fireEvent, render, screen } from '../../../shared/testing';
import { provider, userOf } from '../oidc/fixtures';
import { managerOf } from '../oidc/providers';
import { RequireSession } from './RequireSession';

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
  vi.stubGlobal('fetch', () => new Promise(() => {}));
});

it('keeps the screen if the same account signs in again', async () => {
  const signIn = await adaWrites();
  await signIn(userOf('ada', 'second'));
  expect(title()).toBe('Of Ada');
});

it('resets the screen if another account signs in', async () => {
  const signIn = await adaWrites();
  await signIn(userOf('bob', 'of Bob'));
  expect(title()).toBe('');
});

it('treats the same subject of another issuer as another account', async () => {
  const signIn = await adaWrites();
  await signIn(userOf('ada', 'of the other Ada', 'https://other.example'));
  expect(title()).toBe('');
});
