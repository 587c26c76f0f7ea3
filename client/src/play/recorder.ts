// Keeps a run's events until the server has them: sends them in batches, survives an outage and a closed tab.
// Sending an event twice is harmless (the server knows it by run and number), so in doubt it is sent again.

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

/** `kept`: the events arrived (or never will be accepted). `failed`: try again later. */
export type SendOutcome = 'kept' | 'failed';

export interface RecorderOptions {
  send: (events: RecordedEvent[]) => Promise<SendOutcome>;
  /** Where waiting events survive a closed tab; null where the browser allows none. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  storageKey: string;
}

export interface Recorder {
  add(event: RecordedEvent): void;
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

function isEvent(value: unknown): value is RecordedEvent {
  return typeof value === 'object' && value !== null && 'runId' in value && 'seq' in value && 'at' in value;
}

function load(options: RecorderOptions, now: number): RecordedEvent[] {
  try {
    const stored: unknown = JSON.parse(options.storage?.getItem(options.storageKey) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter(isEvent).filter((event) => now - Date.parse(event.at) < MAX_AGE_MS);
  } catch {
    return [];
  }
}

const idOf = ({ runId, seq }: RecordedEvent) => `${runId} ${seq}`;

export function createRecorder(options: RecorderOptions): Recorder {
  let waiting = load(options, Date.now());
  // Every event that this recorder has ever held: what else is stored waits in another tab of the same browser.
  const known = new Set(waiting.map(idOf));
  let sending: Promise<void> | null = null;
  const timer = setInterval(() => void recorder.flush(), FLUSH_EVERY_MS);

  function store() {
    try {
      const ofOthers = load(options, Date.now()).filter((event) => !known.has(idOf(event)));
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
      waiting = waiting.filter((event) => !batch.includes(event));
      store();
    }
  }

  const recorder: Recorder = {
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
