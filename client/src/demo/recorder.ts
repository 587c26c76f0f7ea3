// Keeps what happened in runs, and goals, until the server has them: sends them in batches, survives an outage and a closed tab.
// Sending something twice is harmless (the server knows it again), so in doubt it is sent again.

import type { EndReason, PlayEvent } from '../player/types';

/** One event as the `record` mutation takes it. */
export interface RecordedEvent {
  runId: string;
  releaseId: string;
  seq: number;
  kind: PlayEvent['kind'];
  stepKey?: string;
  /** RFC 3339, UTC. */
  at: string;
  activeMs: number;
  reason?: EndReason;
}

/** A goal as the `goalRecord` mutation takes it. */
export interface RecordedGoal {
  event: string;
  /** RFC 3339, UTC, by the server's clock. */
  at: string;
}

export const eventId = ({ runId, seq }: RecordedEvent) => `${runId} ${seq}`;
export const goalId = ({ event, at }: RecordedGoal) => `${event} ${at}`;

/** `kept`: the events arrived (or never will be accepted). `failed`: try again later. */
export type SendOutcome = 'kept' | 'failed';

export interface RecorderOptions<Entry> {
  send: (events: Entry[]) => Promise<SendOutcome>;
  /** Different for different entries. */
  idOf: (event: Entry) => string;
  /** Where waiting events survive a closed tab; null where the browser allows none. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  storageKey: string;
}

export interface Recorder<Entry = RecordedEvent> {
  add(event: Entry): void;
  /** Sends what is waiting. Never rejects. */
  flush(): Promise<void>;
  /** Stops the timer; waiting events stay stored for the next visit. */
  dispose(): void;
}

const FLUSH_EVERY_MS = 5000;
const FLUSH_AT = 50;
const BATCH = 100;
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;
const MAX_WAITING = 1000;

interface Dated {
  at: string;
}

function isDated<Entry extends Dated>(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'at' in value && typeof value.at === 'string';
}

function load<Entry extends Dated>(options: RecorderOptions<Entry>, now: number): Entry[] {
  try {
    const stored: unknown = JSON.parse(options.storage?.getItem(options.storageKey) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter(isDated<Entry>).filter(event => now - Date.parse(event.at) < MAX_AGE_MS);
  } catch {
    return [];
  }
}

export function createRecorder<Entry extends Dated>(options: RecorderOptions<Entry>): Recorder<Entry> {
  const { idOf } = options;
  let waiting = load(options, Date.now());
  // Every event that this recorder has ever held: what else is stored waits in another tab of the same browser.
  const known = new Set(waiting.map(idOf));
  let sending: Promise<void> | null = null;
  const timer = setInterval(() => void recorder.flush(), FLUSH_EVERY_MS);

  function store() {
    try {
      const ofOthers = load(options, Date.now()).filter(event => !known.has(idOf(event)));
      const stored = [...ofOthers, ...waiting].slice(-MAX_WAITING);
      if (stored.length === 0) options.storage?.removeItem(options.storageKey);
      else options.storage?.setItem(options.storageKey, JSON.stringify(stored));
    } catch {
      // A full or forbidden storage only costs the events of a tab that closes during an outage.
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      // In order and one at a time: a later batch must not overtake one that has to be sent again.
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await options.send(batch).catch((): SendOutcome => 'failed');
      if (outcome === 'failed') return;
      waiting = waiting.filter(event => !batch.includes(event));
      store();
    }
  }

  const recorder: Recorder<Entry> = {
    add(event) {
      known.add(idOf(event));
      waiting = [...waiting, event].slice(-MAX_WAITING);
      store();
      if (waiting.length >= FLUSH_AT) void recorder.flush();
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
  if (waiting.length > 0) void recorder.flush();
  return recorder;
}
