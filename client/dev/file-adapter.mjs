// Where the development identity provider keeps its sessions and tokens: in memory, and written to one JSON file
// shortly after each change, so that a restart does not sign everybody out. Small by design: a handful of people use
// it.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** How long a change waits for others before the file is written, in milliseconds. */
const WRITE_DELAY = 200;

/** What lives too short to be worth a write on its own. */
const FLEETING = new Set(['Interaction', 'AuthorizationCode', 'ReplayDetection']);

export class FileStore {
  /** @type {Map<string, { payload: Record<string, unknown>, expiresAt: number | null }>} */
  #records = new Map();
  /** @type {NodeJS.Timeout | null} */
  #pending = null;
  #file;

  /** @param {string | null} file where to keep the records; null keeps them in memory only */
  constructor(file) {
    this.#file = file;
    if (file === null) return;
    try {
      this.#records = new Map(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      // A first start has no file. A damaged one only costs a sign-in, so it is replaced.
      if (error.code !== 'ENOENT')
        console.error(`${file} cannot be read (${error.message}); starting with no sessions.`);
    }
  }

  /** The adapter class that oidc-provider makes one instance of per kind of record. */
  adapter() {
    const store = this;
    return class {
      #kind;
      constructor(kind) {
        this.#kind = kind;
      }
      async upsert(id, payload, expiresIn) {
        store.set(this.#key(id), payload, expiresIn, FLEETING.has(this.#kind));
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
        const payload = store.get(this.#key(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
        store.changed();
      }
      async destroy(id) {
        store.remove(key => key === this.#key(id));
      }
      async revokeByGrantId(grantId) {
        store.remove((_key, payload) => payload.grantId === grantId);
      }
      #key(id) {
        return `${this.#kind}:${id}`;
      }
    };
  }

  /** Writes what is pending, at once. */
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

  set(key, payload, expiresIn, fleeting) {
    this.#records.set(key, { payload, expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : null });
    if (!fleeting) this.changed();
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
    this.#pending ??= setTimeout(() => this.flush(), WRITE_DELAY).unref();
  }
}
