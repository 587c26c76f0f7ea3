import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { User } from 'oidc-client-ts';
import { AuthProvider } from 'react-oidc-context';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { managerOf, type Provider } from './providers';
import { RequireSession } from './RequireSession';

const provider: Provider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.example',
  clientId: 'waypost',
  scope: 'openid',
};

const userNamed = (sub: string, token: string, iss = provider.issuer) =>
  new User({
    access_token: token,
    token_type: 'Bearer',
    profile: { iss, aud: 'waypost', sub, exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + 300,
  });

/** Signs Ada in and lets her write something into a screen. */
async function adaWrites() {
  const manager = managerOf(provider);
  await manager.storeUser(userNamed('ada', 'first'));
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
  await signIn(userNamed('ada', 'second'));
  expect(title()).toBe('Of Ada');
});

it('the screen begins anew when somebody else signs in at the same tab', async () => {
  const signIn = await adaWrites();
  await signIn(userNamed('bob', 'of Bob'));
  expect(title()).toBe('');
});

it('a subject of another issuer is somebody else', async () => {
  const signIn = await adaWrites();
  await signIn(userNamed('ada', 'of the other Ada', 'https://other.example'));
  expect(title()).toBe('');
});
