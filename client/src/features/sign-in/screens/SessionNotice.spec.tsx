import { StrictMode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { act, fireEvent, render, screen } from '../../../shared/testing';
import { provider as acme } from '../oidc/fixtures';
import { managerOf, type Provider } from '../oidc/providers';
import { beginSession } from '../session/session';
import { SessionNotice } from './SessionNotice';

const provider: Provider = { ...acme, renewals: [] };

const session = {
  kind: 'signed-in',
  account: { id: 'ada', subject: 'ada', name: 'Ada', email: null, provider: 'Acme' },
  endsAt: new Date(0),
  renewsAt: new Date(0),
  hasRefreshToken: false,
  renewsInFrame: false,
  problem: { kind: 'sessionEnded', cause: 'login_required' },
} as const;

async function show(change: object = {}) {
  vi.stubGlobal('isSecureContext', true);
  await beginSession([provider]);
  const opened = vi.spyOn(managerOf(provider), 'signInByWindow').mockImplementation(() => new Promise(() => {}));
  const page = render(
    <StrictMode>
      <SessionNotice session={{ ...session, ...change }} />
    </StrictMode>,
  );
  const update = (next: object) =>
    page.rerender(
      <StrictMode>
        <SessionNotice session={{ ...session, ...next }} />
      </StrictMode>,
    );
  return { opened, update };
}

const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

it('renews with one click a session that is not renewed automatically', async () => {
  const { opened, update } = await show();
  expect(screen.getByRole('alert').textContent).toContain('Acme doesn’t renew sessions automatically');
  await click('Stay signed in');
  expect(opened).toHaveBeenCalledOnce();
  update({ problem: null });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows in its details why the automatic renewal failed', async () => {
  await show({ hasRefreshToken: true });
  expect(screen.getByRole('alert').textContent).toContain('could not be renewed');
  expect(screen.getByText('Details').parentElement?.textContent).toContain('login_required');
});

it('does not warn again after “Not now” until the next problem', async () => {
  const { update } = await show();
  await click('Not now');
  expect(screen.queryByRole('alert')).toBeNull();
  update({ endsAt: new Date(1000) });
  expect(screen.queryByRole('alert')).toBeNull();
  update({ problem: null });
  update({});
  expect(screen.getByRole('alert')).toBeTruthy();
});
