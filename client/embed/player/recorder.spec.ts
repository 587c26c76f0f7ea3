import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecorder, removeExpired, type RecordedEvent } from './recorder';

const event = (seq: number, at = new Date().toISOString()): RecordedEvent => ({
  runId: 'run',
  releaseId: 'release',
  seq,
  kind: 'STEP_SEEN',
  at,
  activeMs: 0,
});

function memory(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as Storage;
}

function setUp(outcomes: boolean[], storage: Storage | null = memory()) {
  const sent: number[][] = [];
  const recorder = createRecorder<RecordedEvent>({
    storage,
    storageKey: 'events',
    send: async events => {
      sent.push(events.map(({ seq }) => seq));
      return outcomes.shift() ?? true;
    },
  });
  return { recorder, sent, storage };
}

it('removes only entries of earlier visitors that are too old to be sent', () => {
  const old = JSON.stringify([event(0, '2020-01-01T00:00:00.000Z')]);
  localStorage.setItem('waypost.events.site.browser-1.ada', old);
  localStorage.setItem('waypost.goals.site.browser-1.', old);
  localStorage.setItem('waypost.events.site.browser-2.', JSON.stringify([event(0)]));
  localStorage.setItem('waypost.visitor', 'browser-2');
  localStorage.setItem('events.of.the.page', old);
  removeExpired(localStorage);
  expect(Object.keys(localStorage).toSorted()).toEqual([
    'events.of.the.page',
    'waypost.events.site.browser-2.',
    'waypost.visitor',
  ]);
  localStorage.clear();
});

describe('the recorder', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('sends pending events once, after five seconds', async () => {
    const { recorder, sent } = setUp([]);
    recorder.add(event(0));
    recorder.add(event(1));
    await vi.advanceTimersByTimeAsync(5000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toEqual([[0, 1]]);
  });

  it('retries failed events', async () => {
    const { recorder, sent } = setUp([false]);
    recorder.add(event(0));
    await recorder.flush();
    await recorder.flush();
    expect(sent).toEqual([[0], [0]]);
  });

  it('retries less often the longer the server is not available', async () => {
    const { recorder, sent } = setUp(Array.from({ length: 100 }, () => false));
    for (let seq = 0; seq < 60; seq++) recorder.add(event(seq));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(sent.length).toBeLessThan(25);
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(sent.length).toBeGreaterThan(before);
  });

  it('keeps events that are added while others are being sent', async () => {
    const arrivals: Array<(isDone: boolean) => void> = [];
    const sent: number[][] = [];
    const recorder = createRecorder<RecordedEvent>({
      storage: null,
      storageKey: 'events',
      send: events => {
        sent.push(events.map(({ seq }) => seq));
        return sent.length === 1 ? new Promise(resolve => arrivals.push(resolve)) : Promise.resolve(true);
      },
    });
    recorder.add(event(0));
    const flushed = recorder.flush();
    recorder.add(event(1));
    arrivals[0]?.(true);
    await flushed;
    expect(sent).toEqual([[0], [1]]);
  });

  it('sends stored events of a closed tab unless they are too old', async () => {
    const storage = memory();
    storage.setItem('events', JSON.stringify([event(1, '2001-01-01T00:00:00Z'), event(2)]));
    const { recorder, sent } = setUp([], storage);
    await recorder.flush();
    expect(sent).toEqual([[2]]);
    expect(storage.getItem('events')).toBeNull();
  });

  it('keeps stored events of other tabs until those tabs have sent them', async () => {
    const storage = memory();
    const stored = () => (JSON.parse(storage.getItem('events') ?? '[]') as RecordedEvent[]).map(({ seq }) => seq);
    const thisTab = setUp([false], storage);
    const otherTab = setUp([false], storage);
    otherTab.recorder.add(event(7));
    thisTab.recorder.add(event(1));
    await thisTab.recorder.flush();
    expect(stored()).toEqual([7, 1]);
    await thisTab.recorder.flush();
    expect(stored()).toEqual([7]);
    await otherTab.recorder.flush();
    await otherTab.recorder.flush();
    expect(otherTab.sent).toEqual([[7], [7]]);
    expect(storage.getItem('events')).toBeNull();
  });

  it('keeps no list of sent events, which would grow with each run', async () => {
    const { recorder, storage } = setUp([]);
    const sentHere = event(1);
    recorder.add(sentHere);
    await recorder.flush();
    // A tab that loaded it before has not sent it yet.
    storage?.setItem('events', JSON.stringify([sentHere]));
    recorder.add(event(2));
    expect((JSON.parse(storage?.getItem('events') ?? '[]') as RecordedEvent[]).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('ignores invalid stored data', async () => {
    const storage = memory();
    storage.setItem('events', '{"not": "a list"');
    const { recorder, sent } = setUp([], storage);
    await recorder.flush();
    expect(sent).toEqual([]);
  });

  it('sends at most a hundred events per request', async () => {
    const { recorder, sent } = setUp([]);
    for (let seq = 0; seq < 120; seq++) recorder.add(event(seq));
    await recorder.flush();
    expect(sent.map(({ length }) => length)).toEqual([100, 20]);
  });
});
