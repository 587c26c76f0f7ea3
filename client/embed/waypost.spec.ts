import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubServer } from './stub-server';
import { createWaypost } from './waypost';

interface Request {
  path: string;
  visitor: { externalId?: string; token?: string; traits?: object[] };
}

let requests: Request[];
let tokenProblem: string | null;
let delays: Record<string, Promise<void>>;

const settle = () => expect.poll(() => requests.at(-1)?.path).toBe('/e/boot');
const boots = () => requests.filter(({ path }) => path === '/e/boot').map(({ visitor }) => visitor);

beforeEach(() => {
  requests = [];
  tokenProblem = null;
  delays = {};
  localStorage.clear();
  stubServer(async (path, body) => {
    const { visitor } = JSON.parse(body) as Request;
    requests.push({ path, visitor });
    const problem = visitor.token === undefined ? null : tokenProblem;
    await delays[path];
    return Response.json({ tours: [], goals: [], serverTime: new Date().toISOString(), tokenProblem: problem });
  });
});

afterEach(() => vi.unstubAllGlobals());

function started() {
  const waypost = createWaypost();
  waypost.init({ key: 'wp_pub_1', origin: 'https://tours.example' });
  return waypost;
}

it('sends the token with the external id', async () => {
  const waypost = started();
  waypost.identify('ada', { token: 't1' });
  await settle();
  expect(boots()).toEqual([expect.objectContaining({ externalId: 'ada', token: 't1' })]);
  waypost.reset();
  await expect.poll(() => boots()).toHaveLength(2);
  expect(boots()[1]).not.toHaveProperty('externalId');
  expect(boots()[1]).not.toHaveProperty('token');
});

it('sends traits, and starts again when they change', async () => {
  const waypost = started();
  waypost.identify('ada', { traits: { plan: 'pro', seats: 7 } });
  await settle();
  waypost.identify('ada', { traits: { plan: 'pro', seats: 7 } });
  waypost.identify('ada', { traits: { plan: 'free' } });
  await expect.poll(() => boots()).toHaveLength(2);
  const plan = (value: string) => ({ key: 'plan', value });
  expect(boots().map(({ traits }) => traits)).toEqual([[plan('pro'), { key: 'seats', value: '7' }], [plan('free')]]);
});

it('uses a new token of the same visitor for the next request, without starting again', async () => {
  const waypost = started();
  waypost.identify('ada', { token: 't1' });
  await settle();
  waypost.identify('ada', { token: 't2' });
  waypost.track('order_placed');
  window.dispatchEvent(new Event('pagehide'));
  await expect.poll(() => requests.at(-1)?.path).toBe('/e/goals');
  expect(requests.at(-1)?.visitor.token).toBe('t2');
  expect(boots()).toHaveLength(1);
});

it('starts again with a new token if the server has refused the previous one', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  tokenProblem = 'EXPIRED';
  const waypost = started();
  waypost.identify('ada', { token: 't1' });
  await expect.poll(() => warn).toHaveBeenCalledWith('Waypost: token', 'EXPIRED');
  waypost.identify('ada', { token: 't1' });
  tokenProblem = null;
  waypost.identify('ada', { token: 't2' });
  await expect.poll(() => boots()).toHaveLength(2);
  expect(boots().map(({ token }) => token)).toEqual(['t1', 't2']);
  warn.mockRestore();
});

const MANUAL = { trigger: 'MANUAL', event: null, page: null, when: null, delayMs: 0, ignoreCooldown: false };

function stubTour(start: object, bundle: () => Response) {
  const paths: string[] = [];
  stubServer(path => {
    paths.push(path);
    if (path !== '/e/boot') return bundle();
    const tours = [
      { tourId: 't', releaseId: 'r', slug: 'hello', bundle: '/t/1.json', start, branches: [], resume: null },
    ];
    return Response.json({ tours, goals: [], serverTime: new Date().toISOString(), tokenProblem: null });
  });
  return paths;
}

it('loads a bundle when its tour starts, also again after an error', async () => {
  const error = () => Response.json({ error: { code: 'UNAVAILABLE' } }, { status: 503 });
  const paths = stubTour(MANUAL, error);
  const waypost = started();
  await expect.poll(() => waypost.explain('hello')).toBe('TRIGGER');
  expect(paths).toEqual(['/e/boot']);
  waypost.start('hello');
  await expect.poll(() => paths).toEqual(['/e/boot', '/t/1.json']);
  await expect.poll(() => waypost.explain('hello')).toBe('PLAYER_FAILED');
  waypost.start('hello');
  await expect.poll(() => paths).toEqual(['/e/boot', '/t/1.json', '/t/1.json']);
});

it('reports the events of the anonymous visitor before the token makes them another visitor', async () => {
  const waypost = started();
  await settle();
  // The recorder sends events that are no goals later.
  waypost.track('order_placed');
  let respond = () => {};
  delays['/e/goals'] = new Promise(resolve => (respond = resolve));
  waypost.identify('ada', { token: 't1' });
  await expect.poll(() => requests.at(-1)?.path).toBe('/e/goals');
  expect(requests.at(-1)?.visitor).not.toHaveProperty('token');
  expect(boots()).toHaveLength(1);
  respond();
  await expect.poll(() => boots()).toHaveLength(2);
  expect(boots()[1]?.token).toBe('t1');
});

it('uses the path of the application’s router for page rules', async () => {
  stubTour({ ...MANUAL, trigger: 'AUTO', page: '/orders*', delayMs: 1e6 }, () => Response.error());
  const waypost = started();
  await expect.poll(() => waypost.explain('hello')).toBe('PAGE');
  waypost.setPage('/orders/7?tab=open');
  expect(waypost.explain('hello')).toBeNull();
  waypost.setPage(null);
  expect(waypost.explain('hello')).toBe('PAGE');
});
