import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { Observable, type Subscriber } from 'rxjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TourChanged } from '../../generated/hooks';
import { sharedStreamLink } from './shared-stream-link';

type Result = ApolloLink.Result;

/** One lock at a time per name, like the browser's. */
function fakeLocks() {
  const queues = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) => {
      const turn = (queues.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : run()));
      queues.set(
        name,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}

/** Windows with a stream each, and what they received. */
function setUp() {
  const streams: Subscriber<Result>[] = [];
  let open = 0;
  const server = new ApolloLink(
    () =>
      new Observable<Result>(stream => {
        streams.push(stream);
        open += 1;
        return () => void (open -= 1);
      }),
  );
  const openWindow = (account: string, id = 'tour') => {
    const received: unknown[] = [];
    const accountLink = new ApolloLink((operation, forward) => {
      operation.setContext({ account });
      return forward(operation);
    });
    const link = ApolloLink.from([accountLink, sharedStreamLink, server]);
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    const subscription = client
      .subscribe({ query: TourChanged, variables: { id }, fetchPolicy: 'no-cache' })
      .subscribe({
        next: ({ data, error }) =>
          received.push(error ? 'error' : (data as unknown as { tourChanged: string }).tourChanged),
        complete: () => received.push('complete'),
      });
    return { received, close: () => subscription.unsubscribe() };
  };
  const send = (at: number, title: string) => streams[at]?.next({ data: { tourChanged: title } });
  return { streams, openWindow, send, open: () => open };
}

beforeEach(() => vi.stubGlobal('navigator', { locks: fakeLocks() }));
afterEach(() => vi.unstubAllGlobals());

it('sends the results of one stream to all windows, and the latest one to a new window', async () => {
  const { openWindow, send, streams } = setUp();
  const first = openWindow('ada');
  const second = openWindow('ada');
  await expect.poll(() => streams).toHaveLength(1);
  send(0, 'Hello');
  await expect.poll(() => [first.received, second.received]).toEqual([['Hello'], ['Hello']]);
  const third = openWindow('ada');
  await expect.poll(() => third.received).toEqual(['Hello']);
  expect([first.received, second.received]).toEqual([['Hello'], ['Hello']]);
  expect(streams).toHaveLength(1);
  for (const each of [first, second, third]) each.close();
});

it('continues in another window when the one with the stream closes', async () => {
  const { openWindow, send, streams, open } = setUp();
  const first = openWindow('ada');
  const waiting = openWindow('ada');
  const second = openWindow('ada');
  await expect.poll(() => streams).toHaveLength(1);
  waiting.close();
  first.close();
  await expect.poll(() => streams).toHaveLength(2);
  send(1, 'Hello');
  expect(second.received).toEqual(['Hello']);
  second.close();
  await expect.poll(() => open()).toBe(0);
});

it('shares neither errors nor the end of a stream', async () => {
  const { openWindow, streams } = setUp();
  const first = openWindow('ada');
  const second = openWindow('ada');
  await expect.poll(() => streams).toHaveLength(1);
  streams[0]?.next({ data: { tourChanged: 'Hello' }, errors: [{ message: 'x' }] });
  streams[0]?.complete();
  await expect.poll(() => streams).toHaveLength(2);
  expect([first.received, second.received]).toEqual([['error', 'complete'], []]);
  second.close();
});

it('does not share streams of other accounts or objects', async () => {
  const { openWindow, streams } = setUp();
  const windows = [openWindow('ada'), openWindow('eve'), openWindow('ada', 'other')];
  await expect.poll(() => streams).toHaveLength(3);
  for (const each of windows) each.close();
});

it('opens a stream per window in a browser without locks', () => {
  vi.stubGlobal('navigator', {});
  const { openWindow, streams } = setUp();
  const windows = [openWindow('ada'), openWindow('ada')];
  expect(streams).toHaveLength(2);
  for (const each of windows) each.close();
});
