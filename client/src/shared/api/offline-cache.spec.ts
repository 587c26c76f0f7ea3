import { afterEach, expect, it, vi } from 'vitest';
import { Viewer } from '../../generated/documents/Viewer';
import { connectAuthSession } from './auth-session';
import { makeClient } from './client';
import { clearOfflineCache, allowOfflineCache } from './offline-cache';

const viewer = {
  viewer: {
    __typename: 'Viewer',
    account: { __typename: 'Account', id: 'a', name: 'Ada', email: null, avatarUrl: null },
    memberships: [],
  },
};

/** A new page, before a server that answers or cannot be reached. */
function page(up: boolean, person = 'ada') {
  connectAuthSession({ person: () => person, token: async () => 'token', renew: async () => null });
  const fetch = vi.fn(async () => {
    if (!up) throw new TypeError('Failed to fetch');
    return Response.json({ data: viewer });
  });
  const client = makeClient({ uri: 'http://localhost/graphql', fetch: fetch as typeof globalThis.fetch });
  const ask = (context = {}) => client.query({ query: Viewer, context }).then(({ data }) => data?.viewer.account.name);
  return { ask, fetch, client };
}

afterEach(() => allowOfflineCache(false));

it('answers after a reload without the server, the same person alone', async () => {
  allowOfflineCache(true);
  await page(true).ask();
  const reloaded = page(false);
  expect(await reloaded.ask()).toBe('Ada');
  expect(reloaded.fetch).toHaveBeenCalledOnce();
  expect(Object.keys(sessionStorage).every(key => key.includes('ada'))).toBe(true);
});

it('asks the server as long as it answers', async () => {
  allowOfflineCache(true);
  await page(true).ask();
  const next = page(true);
  await next.ask();
  expect(next.fetch).toHaveBeenCalledOnce();
});

it.each([
  ['where tokens stay in memory', () => allowOfflineCache(false)],
  ['when somebody signs out', clearOfflineCache],
])('keeps nothing %s', async (_, end) => {
  allowOfflineCache(true);
  await page(true).ask();
  end();
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it('keeps nothing for one who wants the answer of the server or none', async () => {
  allowOfflineCache(true);
  await page(true).ask({ fresh: true });
  expect(Object.keys(sessionStorage)).toEqual([]);
});
