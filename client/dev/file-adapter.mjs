// Writes sessions and tokens to one JSON file shortly after each change, so that sessions survive a restart.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** In milliseconds; batches changes. */
const WRITE_DELAY_MS = 200;

const SHORT_LIVED = new Set(['Interaction', 'AuthorizationCode', 'ReplayDetection']);

export class FileStore {
  /** @type {Map<string, { payload: Record<string, unknown>, expiresAt: number | null }>} */
  #records = new Map();
  /** @type {NodeJS.Timeout | null} */
  #pending = null;
  #file;

  /** @param {string | null} file the JSON file; null keeps records in memory only */
  constructor(file) {
    this.#file = file;
    if (file === null) return;
    try {
      this.#records = new Map(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      // Missing on the first start. A damaged file only requires a new sign-in.
      if (error.code !== 'ENOENT')
        console.error(`${file} could not be read (${error.message}); starting without sessions.`);
    }
  }

  /**
   * Returns the adapter class, which oidc-provider instantiates once for each kind of record.
   * @param {(kind: string) => boolean} [isConsumable] false accepts records of this kind several times
   */
  adapter(isConsumable = () => true) {
    const store = this;
    return class {
      #kind;
      constructor(kind) {
        this.#kind = kind;
      }
      async upsert(id, payload, expiresIn) {
        store.set(this.#key(id), payload, expiresIn, SHORT_LIVED.has(this.#kind));
      }
      async find(id) {
        return store.get(this.#key(id));
      }
      async findByUid(uid) {
        return store.findBy(this.#kind, payload => payload.uid === uid);
      }
      async findByUserCode(userCode) {
        return store.findBy(this.#kind, payload => payload.userCode === userCode);
      }
      async consume(id) {
        if (!isConsumable(this.#kind)) return;
        const payload = store.get(this.#key(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
        store.changed();
      }
      async destroy(id) {
        store.remove(key => key === this.#key(id));
      }
      async revokeByGrantId(grantId) {
        // An interaction continues if another account signs in.
        store.remove((key, payload) => key.startsWith(`${this.#kind}:`) && payload.grantId === grantId);
      }
      #key(id) {
        return `${this.#kind}:${id}`;
      }
    };
  }

  flush() {
    if (this.#pending !== null) clearTimeout(this.#pending);
    this.#pending = null;
    const now = Date.now();
    const alive = [...this.#records].filter(([, { expiresAt }]) => expiresAt === null || expiresAt > now);
    this.#records = new Map(alive);
    if (this.#file === null) return;
    mkdirSync(dirname(this.#file), { recursive: true });
    const temporary = `${this.#file}.new`;
    writeFileSync(temporary, JSON.stringify(alive), { mode: 0o600 });
    renameSync(temporary, this.#file);
  }

  set(key, payload, expiresIn, isShortLived) {
    this.#records.set(key, { payload, expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : null });
    if (!isShortLived) this.changed();
  }

  get(key) {
    const record = this.#records.get(key);
    if (!record || (record.expiresAt !== null && record.expiresAt <= Date.now())) return undefined;
    return record.payload;
  }

  findBy(kind, matches) {
    for (const [key, { payload }] of this.#records) {
      if (key.startsWith(`${kind}:`) && matches(payload)) return this.get(key);
    }
    return undefined;
  }

  remove(matches) {
    for (const [key, { payload }] of this.#records) if (matches(key, payload)) this.#records.delete(key);
    this.changed();
  }

  changed() {
    this.#pending ??= setTimeout(() => this.flush(), WRITE_DELAY_MS).unref();
  }
}
