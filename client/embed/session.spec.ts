// What a session plays, by the responses of the server.

import { afterEach, expect, it, vi } from 'vitest';
import { pageFacts } from './player/page-facts';
import { openSession, type SessionOptions } from './session';
import { stubServer } from './stub-server';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

function open(options: Partial<SessionOptions> = {}) {
  return openSession({
    key: 'wp_pub_1',
    origin: 'https://tours.example',
    visitor: { anonymousId: 'v1' },
    page: pageFacts({ locale: () => 'en', path: () => '/' }),
    loadPlayer: vi.fn(),
    onEvent: () => {},
    onPlaying: () => {},
    isPageBusy: () => false,
    onRefused: () => {},
    ...options,
  });
}

/** Starts the tour `hello` and returns what its player was created with. */
async function play(bundle: Response) {
  const start = { trigger: 'MANUAL', event: null, page: null, when: null, delayMs: 0, ignoreCooldown: false };
  const tour = { tourId: 't', releaseId: 'r', slug: 'hello', bundle: '/t/1.json', start, branches: [], resume: null };
  stubServer(path => {
    if (path !== '/e/boot') return bundle;
    return Response.json({ tours: [tour], goals: [], serverTime: new Date().toISOString(), tokenProblem: null });
  });
  const run = { start: async () => {}, suspend: async () => {} };
  const createRun = vi.fn().mockReturnValue(run);
  const states: (string | null)[] = [];
  const session = open({ loadPlayer: async () => createRun, onPlaying: slug => states.push(slug) });
  await expect.poll(() => session.explain('hello')).toBe('TRIGGER');
  await session.play('hello');
  await session.dispose();
  return { played: createRun.mock.calls.map(([content]) => content), states };
}

it('plays a tour with the content of its bundle', async () => {
  const { played } = await play(Response.json({ title: 'Hello', steps: [] }));
  expect(played).toEqual([expect.objectContaining({ slug: 'hello', title: 'Hello', steps: [] })]);
});

it('does not play a tour whose bundle is an error', async () => {
  const { played, states } = await play(Response.json({ error: { code: 'UNAVAILABLE' } }, { status: 503 }));
  expect(played).toEqual([]);
  expect(states.at(-1)).toBeNull();
});

it('has no tours if the server responds with an error, another server with a page, or nothing', async () => {
  for (const response of [
    () => Response.json({ error: { code: 'RATE_LIMITED' } }, { status: 429 }),
    () => new Response('<title>Sign in to the network</title>'),
    () => Promise.reject(new TypeError('Failed to fetch')),
  ]) {
    const respond = vi.fn(response);
    stubServer(respond);
    const session = open();
    await expect.poll(() => respond).toHaveBeenCalledOnce();
    // The session reads the response in a later task.
    await new Promise(resolve => setTimeout(resolve, 0));
    expect(session.explain('hello')).toBe('NOT_LOADED');
    await session.play('hello');
    await session.dispose();
    expect(respond).toHaveBeenCalledOnce();
  }
});
