import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { AuthProvider } from 'react-oidc-context';
import { beforeEach, expect, it, vi } from 'vitest';
import { act, fireEvent, render, screen } from '../../../shared/testing';
import { provider, userOf } from '../oidc/fixtures';
import { managerOf } from '../oidc/providers';
import { beginSession } from '../session/session';
import { SignedOutPage } from './SignInPage';

const ada = userOf('ada', 'token');

function openSignedOut() {
  const history = createMemoryHistory({ initialEntries: ['/signed-out'] });
  const manager = managerOf(provider);
  render(
    <RouterContextProvider router={createRouter({ routeTree: createRootRoute(), history })}>
      <AuthProvider userManager={manager}>
        <SignedOutPage />
      </AuthProvider>
    </RouterContextProvider>,
  );
  return { history, manager };
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.stubGlobal('isSecureContext', true);
});

it('redirects after a sign-in in another window', async () => {
  const { history, manager } = openSignedOut();
  await screen.findByRole('heading', { name: 'You are signed out' });
  await act(() => manager.events.load(ada));
  expect(screen.queryByRole('heading')).toBeNull();
  expect(history.location.pathname).toBe('/');
});

it('redirects an account that is signed in', async () => {
  await managerOf(provider).storeUser(ada);
  const { history } = openSignedOut();
  await expect.poll(() => history.location.pathname).toBe('/');
});

it.each([
  ['login', {}],
  ['select_account', { prompt_values_supported: ['none', 'login', 'select_account'] }],
])('offers another account with prompt=%s if the provider still has a session', async (prompt, metadata) => {
  sessionStorage.setItem('waypost.still-signed-in', provider.id);
  const manager = managerOf(provider);
  await manager.removeUser();
  vi.spyOn(manager.metadataService, 'getMetadata').mockResolvedValue(metadata as object);
  const leave = vi.spyOn(manager, 'signinRedirect').mockResolvedValue();
  await beginSession([provider]);
  openSignedOut();
  expect(await screen.findByText(/you are still signed in at Acme/)).toBeDefined();
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Use another account at Acme' })));
  expect(leave).toHaveBeenLastCalledWith({ state: { returnTo: '/' }, prompt });
});
