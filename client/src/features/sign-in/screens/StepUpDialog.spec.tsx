import { ErrorResponse } from 'oidc-client-ts';
import { StrictMode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { act, fireEvent, render, screen } from '../../../shared/testing';
import { provider, userOf } from '../oidc/fixtures';
import { OtherAccountError } from '../oidc/id-token';
import { managerOf } from '../oidc/providers';
import { beginSession } from '../session/session';
import { stepUp } from '../session/step-up';
import { StepUpDialog } from './StepUpDialog';

const account = { id: 'ada', subject: 'ada', name: 'Ada', email: null, provider: 'Acme' };

const recent = { maxAge: 300, acrValues: undefined };

interface Opened {
  request: unknown;
  lose: () => void;
  succeed: () => void;
  fail: (error: Error) => void;
}

async function show() {
  const manager = managerOf(provider);
  await manager.storeUser(userOf('ada', 'first'));
  await beginSession([provider]);
  const windows: Opened[] = [];
  vi.spyOn(manager, 'signInByWindow').mockImplementation(
    (_signal, lose, request) =>
      new Promise((resolve, fail) => {
        windows.push({ request, lose, succeed: () => resolve(userOf('ada', 'second')), fail });
      }),
  );
  render(
    <StrictMode>
      <StepUpDialog account={account} />
    </StrictMode>,
  );
  let done: Promise<boolean> = Promise.resolve(false);
  act(() => {
    done = stepUp(recent);
  });
  // Loaded when it first opens.
  await screen.findByRole('dialog', { name: 'Confirm it’s you' });
  return { windows, done };
}

const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const settle = (change: () => void) => act(async () => change());

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.stubGlobal('isSecureContext', true);
});

it('waits for the window, shares it with other changes, and closes when the user has signed in', async () => {
  const { windows, done } = await show();
  const other = stepUp(recent);
  expect(windows.map(({ request }) => request)).toEqual([{ subject: 'ada', ...recent, forced: false }]);
  expect(screen.getByRole('dialog').textContent).toContain('Sign in again with Acme as Ada');
  // It takes its space, so that the buttons do not move during a click.
  expect(screen.getByText(/Did the window close/).className).toBe('invisible');
  await settle(() => windows[0]?.lose());
  expect(screen.getByText(/Did the window close/).className).toBe('');
  await settle(() => windows[0]?.succeed());
  expect(await Promise.all([done, other])).toEqual([true, true]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('offers a button if the browser blocks the window', async () => {
  const { windows, done } = await show();
  await settle(() => windows[0]?.fail(new Error('Attempted to navigate on a disposed window')));
  expect(screen.getByRole('alert').textContent).toContain('Your browser blocked the sign-in window');
  await click('Sign in again');
  await settle(() => windows[1]?.succeed());
  expect(await done).toBe(true);
});

it('rejects another account with a sentence, and then requires a new sign-in', async () => {
  const { windows, done } = await show();
  await settle(() => windows[0]?.fail(new OtherAccountError('bob')));
  expect(screen.getByRole('alert').textContent).toContain('You signed in with a different account');
  await click('Sign in again');
  expect(windows[1]?.request).toEqual({ subject: 'ada', ...recent, forced: true });
  await settle(() => windows[1]?.succeed());
  expect(await done).toBe(true);
});

it('does not suggest another account if the provider denies access', async () => {
  const { windows, done } = await show();
  await settle(() => windows[0]?.fail(new ErrorResponse({ error: 'access_denied' })));
  const { textContent } = screen.getByRole('alert');
  expect(textContent).toBe('Acme didn’t grant access. Sign in again and allow access, or cancel the change.');
  await click('Cancel');
  expect(await done).toBe(false);
});

it('stops the change if the user cancels', async () => {
  const { windows, done } = await show();
  await click('Cancel');
  expect(await done).toBe(false);
  expect(screen.queryByRole('dialog')).toBeNull();
  // Too late.
  await settle(() => windows[0]?.succeed());
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('serves a change with a stricter requirement after the first one', async () => {
  const { windows, done } = await show();
  const settled = vi.fn();
  const strong = stepUp({ maxAge: 60, acrValues: 'phrh phr' }).then(settled);
  const other = stepUp({ maxAge: 30, acrValues: undefined }).then(settled);
  await settle(() => windows[0]?.succeed());
  expect(await done).toBe(true);
  expect(settled).not.toHaveBeenCalled();
  // One sign-in meets both.
  expect(windows[1]?.request).toEqual({ subject: 'ada', maxAge: 30, acrValues: 'phrh phr', forced: false });
  expect(screen.getByRole('dialog').textContent).toContain('requires a recent and more secure sign-in');
  await settle(() => windows[1]?.succeed());
  await Promise.all([strong, other]);
  expect(settled.mock.calls).toEqual([[true], [true]]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('stops all changes if the user cancels', async () => {
  const { done } = await show();
  const strict = stepUp({ maxAge: 60, acrValues: undefined });
  await click('Cancel');
  expect(await Promise.all([done, strict])).toEqual([false, false]);
});
