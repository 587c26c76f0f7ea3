import { afterEach, expect, it, vi } from 'vitest';
import { Viewer } from '../../generated/documents/Viewer';
import { connectAuthSession } from './auth-session';
import { makeClient } from './client';
import { clearOfflineCache, allowOfflineCache } from './offline-cache';

const viewer = {
  viewer: {
    __typename: 'Viewer',
    account: { __typename: 'Account', id: 'a', name: 'Ada', email: null, avatarUrl: null },
    mayCreateWorkspaces: true,
    memberships: [],
  },
};

function page(up: boolean, account = 'ada') {
  connectAuthSession({ accountKey: () => account, token: async () => 'token', renew: async () => null });
  const fetch = vi.fn(async () => {
    if (!up) throw new TypeError('Failed to fetch');
    return Response.json({ data: viewer });
  });
  const client = makeClient({ uri: 'http://localhost/graphql', fetch: fetch as typeof globalThis.fetch });
  const queryViewer = (context = {}) =>
    client.query({ query: Viewer, context }).then(({ data }) => data?.viewer.account.name);
  return { queryViewer, fetch, client };
}

afterEach(() => allowOfflineCache(false));

it('returns results after a reload without a server', async () => {
  allowOfflineCache(true);
  await page(true).queryViewer();
  const reloaded = page(false);
  expect(await reloaded.queryViewer()).toBe('Ada');
  expect(reloaded.fetch).toHaveBeenCalledOnce();
  expect(Object.keys(sessionStorage).every(key => key.includes('ada'))).toBe(true);
});

it('uses the server if it is reachable', async () => {
  allowOfflineCache(true);
  await page(true).queryViewer();
  const next = page(true);
  await next.queryViewer();
  expect(next.fetch).toHaveBeenCalledOnce();
});

it.each([
  ['if tokens are kept in memory only', () => allowOfflineCache(false)],
  ['after signing out', clearOfflineCache],
])('keeps nothing %s', async (_, end) => {
  allowOfflineCache(true);
  await page(true).queryViewer();
  end();
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it('does not keep responses of requests marked as `fresh`', async () => {
  allowOfflineCache(true);
  await page(true).queryViewer({ fresh: true });
  expect(Object.keys(sessionStorage)).toEqual([]);
});
