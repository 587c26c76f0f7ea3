import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { provider as acme } from './fixtures';
import { managerOf, type Provider } from './providers';
import { beginSession } from './session';
import { SessionNotice } from './SessionNotice';

const provider: Provider = { ...acme, renewals: [] };

const session = {
  kind: 'signed-in',
  person: { id: 'ada', name: 'Ada', email: null, provider: 'Acme' },
  endsAt: new Date(0),
  hasRefreshToken: false,
  renewsInFrame: false,
  problem: { kind: 'over', cause: 'login_required' },
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
  const become = (next: object) =>
    page.rerender(
      <StrictMode>
        <SessionNotice session={{ ...session, ...next }} />
      </StrictMode>,
    );
  return { opened, become };
}

const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(cleanup);

it('one click renews a session that nothing else renews', async () => {
  const { opened, become } = await show();
  expect(screen.getByRole('alert').textContent).toContain('Acme doesn’t renew sessions automatically');
  await click('Stay signed in');
  expect(opened).toHaveBeenCalledOnce();
  become({ problem: null });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says why the other ways failed, behind its details', async () => {
  await show({ hasRefreshToken: true });
  expect(screen.getByRole('alert').textContent).toContain('could not be renewed');
  expect(screen.getByText('Details').parentElement?.textContent).toContain('login_required');
});

it('warns once: not again after “Not now”, but again at the next trouble', async () => {
  const { become } = await show();
  await click('Not now');
  expect(screen.queryByRole('alert')).toBeNull();
  become({ endsAt: new Date(1000) });
  expect(screen.queryByRole('alert')).toBeNull();
  become({ problem: null });
  become({});
  expect(screen.getByRole('alert')).toBeTruthy();
});
