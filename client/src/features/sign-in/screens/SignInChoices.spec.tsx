import { beforeEach, expect, it, vi } from 'vitest';
import { act, fireEvent, render, screen } from '../../../shared/testing';
import { provider } from '../oidc/fixtures';
import { managerOf } from '../oidc/providers';
import { beginSession } from '../session/session';
import { SignInChoices } from './SignInChoices';

async function clickWindow() {
  vi.stubGlobal('isSecureContext', true);
  await beginSession([provider]);
  const leave = vi.spyOn(managerOf(provider), 'signinRedirect').mockResolvedValue();
  render(<SignInChoices returnTo="/w/acme/tours?status=DRAFT" problem={null} />);
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Sign in with Acme in a new window' }));
  });
  return leave;
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
});

it('a window that the browser blocks becomes a sign-in in this tab, which comes back to this page', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ issuer: provider.issuer, authorization_endpoint: 'https://id.example/auth' }),
  );
  vi.stubGlobal('open', () => null);
  const leave = await clickWindow();
  await expect.poll(() => leave).toHaveBeenCalledOnce();
  expect(leave.mock.calls[0]?.[0]?.state).toEqual({ returnTo: '/w/acme/tours?status=DRAFT' });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('offers to continue in this tab if the window can no longer be observed', async () => {
  vi.spyOn(managerOf(provider), 'signInByWindow').mockImplementation((_, onLost) => {
    onLost();
    return new Promise(() => {});
  });
  const leave = await clickWindow();
  expect(screen.getByText(/Continue in this tab\. You’ll return/)).toBeTruthy();
  expect(leave).not.toHaveBeenCalled();
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Continue in this tab' }));
  });
  expect(leave.mock.calls[0]?.[0]?.state).toEqual({ returnTo: '/w/acme/tours?status=DRAFT' });
});

it('warns about an address without https and disables signing in', async () => {
  await beginSession([provider]);
  vi.stubGlobal('isSecureContext', false);
  render(<SignInChoices returnTo="/" problem={null} />);
  expect(screen.getByRole('alert').textContent).toContain('over https or on localhost');
  expect(screen.getByRole('button', { name: 'Sign in with Acme' }).getAttribute('aria-disabled')).toBe('true');
});

it('shows the technical cause of a failure in its details', async () => {
  vi.spyOn(managerOf(provider), 'signInByWindow').mockRejectedValue(new TypeError('Failed to fetch'));
  await clickWindow();
  expect(screen.getByRole('alert').textContent).toContain('Acme isn’t responding');
  const details = screen.getByText('Details').parentElement;
  expect(details?.tagName).toBe('DETAILS');
  expect(details?.textContent).toContain('TypeError: Failed to fetch');
});

it('explains a provider that does not respond to the redirect, until the user returns', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('isSecureContext', true);
  await beginSession([provider]);
  let back: () => void = () => {};
  vi.spyOn(managerOf(provider), 'signinRedirect').mockReturnValue(new Promise<void>(resolve => (back = resolve)));
  render(<SignInChoices returnTo="/" problem={null} />);
  const signIn = screen.getByRole('button', { name: 'Sign in with Acme' });
  await act(async () => void fireEvent.click(signIn));
  expect(signIn.getAttribute('aria-busy')).toBe('true');
  act(() => void vi.runOnlyPendingTimers());
  expect(screen.getByRole('alert').textContent).toContain('Acme hasn’t responded yet.');
  expect(signIn.getAttribute('aria-busy')).not.toBe('true');
  await act(async () => back());
  expect(screen.queryByRole('alert')).toBeNull();
  vi.useRealTimers();
});
