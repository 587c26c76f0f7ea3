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

export interface RecordedAttempt {
  releaseId: string;
  problem: 'ELEMENT_MISSING' | 'PLAYER_FAILED';
  /** The first step whose element was missing. */
  stepKey?: string;
  /** RFC 3339, UTC, server's time. */
  at: string;
}

export interface RecordedGoal {
  event: string;
  /** RFC 3339, UTC, server's time. */
  at: string;
}

export interface RecorderOptions<Entry> {
  /** Resolves with true if the entries were accepted or permanently rejected. Otherwise, they are sent again later. */
  send: (entries: Entry[]) => Promise<boolean>;
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
const BATCH_SIZE = 100;
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;
const MAX_PENDING = 1000;

interface Dated {
  at: string;
}

export function loadEntries<Entry extends Dated>({
  storage,
  storageKey,
}: Pick<RecorderOptions<Entry>, 'storage' | 'storageKey'>): Entry[] {
  try {
    const stored = JSON.parse(String(storage?.getItem(storageKey))) as Entry[];
    // False for an entry without a time.
    return stored.filter(({ at }) => Date.now() - Date.parse(at) < MAX_AGE_MS);
  } catch {
    // Also if there are no entries.
    return [];
  }
}

/** Removes the entries of earlier visitors of this browser that are too old to be sent. */
export function removeExpired(storage: Storage): void {
  for (const storageKey of Object.keys(storage)) {
    const isOurs = /^waypost\.(events|goals|attempts|missing)\./.test(storageKey);
    if (isOurs && loadEntries({ storage, storageKey }).length === 0) storage.removeItem(storageKey);
  }
}

export function createRecorder<Entry extends Dated>(options: RecorderOptions<Entry>): Recorder<Entry> {
  const { storage, storageKey } = options;
  let pending = loadEntries<Entry>(options);
  // The events of this recorder in storage. Other stored events belong to other tabs of the browser.
  let stored = pending;
  let sending: Promise<void> | null = null;
  let failures = 0;
  let nextAttempt = 0;
  const timer = setInterval(() => {
    if (Date.now() >= nextAttempt) void recorder.flush();
  }, FLUSH_INTERVAL_MS);

  function store() {
    try {
      const own = new Set(stored.map(jsonOf));
      const all = [...loadEntries<Entry>(options).filter(event => !own.has(jsonOf(event))), ...pending].slice(
        -MAX_PENDING,
      );
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
      if (!(await options.send(batch).catch(() => false))) {
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
