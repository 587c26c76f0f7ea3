// Batches of run events and goals survive an outage and a closed tab, and are retried, because the server ignores
// duplicates.

import { jsonOf } from './json';
import type { EndReason, PlayEvent } from './types';

export interface RecordedEvent {
  runId: string;
  releaseId: string;
  seq: number;
  kind: PlayEvent['kind'];
  stepKey?: string;
  /** RFC 3339, UTC, server's time. */
  at: string;
  activeMs: number;
  reason?: EndReason;
}

export interface RecordedGoal {
  event: string;
  /** RFC 3339, UTC, server's time. */
  at: string;
}

/** `done`: accepted or permanently rejected. `failed`: retry later. */
export type SendOutcome = 'done' | 'failed';

export interface RecorderOptions<Entry> {
  send: (events: Entry[]) => Promise<SendOutcome>;
  /** Null if the browser does not allow any. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  storageKey: string;
}

export interface Recorder<Entry = RecordedEvent> {
  add(event: Entry): void;
  /** Never rejects. */
  flush(): Promise<void>;
  /** Pending events stay in storage. */
  dispose(): void;
}

const FLUSH_INTERVAL_MS = 5000;
/** While the server is unavailable. */
const MAX_RETRY_DELAY_MS = 5 * 60_000;
const FLUSH_THRESHOLD = 50;
const BATCH_SIZE = 100;
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;
const MAX_PENDING = 1000;

interface Dated {
  at: string;
}

function load<Entry extends Dated>({
  storage,
  storageKey,
}: Pick<RecorderOptions<Entry>, 'storage' | 'storageKey'>): Entry[] {
  try {
    const stored = JSON.parse(storage?.getItem(storageKey) ?? '[]') as Partial<Entry>[];
    return stored.filter((event): event is Entry => Date.now() - Date.parse(event.at ?? '') < MAX_AGE_MS);
  } catch {
    return [];
  }
}

/** Removes the entries of earlier visitors of this browser that are too old to be sent. */
export function removeExpired(storage: Storage): void {
  for (const storageKey of Object.keys(storage)) {
    const isOurs = /^waypost\.(events|goals)\./.test(storageKey);
    if (isOurs && load({ storage, storageKey }).length === 0) storage.removeItem(storageKey);
  }
}

export function createRecorder<Entry extends Dated>(options: RecorderOptions<Entry>): Recorder<Entry> {
  const { storage, storageKey } = options;
  let pending = load<Entry>(options);
  // The events of this recorder in storage. Other stored events belong to other tabs of the browser.
  let stored = pending;
  let sending: Promise<void> | null = null;
  let failures = 0;
  let nextAttempt = 0;
  const flushWhenDue = () => {
    if (Date.now() >= nextAttempt) void recorder.flush();
  };
  const timer = setInterval(flushWhenDue, FLUSH_INTERVAL_MS);

  function store() {
    try {
      const own = new Set(stored.map(jsonOf));
      const all = [...load<Entry>(options).filter(event => !own.has(jsonOf(event))), ...pending].slice(-MAX_PENDING);
      if (all.length === 0) storage?.removeItem(storageKey);
      else storage?.setItem(storageKey, jsonOf(all));
      stored = pending;
    } catch {
      // Without storage, a tab closed during an outage loses events.
    }
  }

  async function drain(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending.slice(0, BATCH_SIZE);
      // A later batch must not overtake a retried one.
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await options.send(batch).catch((): SendOutcome => 'failed');
      if (outcome === 'failed') {
        nextAttempt = Date.now() + Math.min(FLUSH_INTERVAL_MS * 2 ** failures++, MAX_RETRY_DELAY_MS);
        return;
      }
      failures = nextAttempt = 0;
      pending = pending.filter(event => !batch.includes(event));
      store();
    }
  }

  const recorder: Recorder<Entry> = {
    add(event) {
      pending = [...pending, event].slice(-MAX_PENDING);
      store();
      if (pending.length >= FLUSH_THRESHOLD) flushWhenDue();
    },
    flush() {
      sending ??= drain().finally(() => {
        sending = null;
      });
      return sending;
    },
    dispose() {
      clearInterval(timer);
    },
  };
  return recorder;
}
