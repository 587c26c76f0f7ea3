/**
 * The key to which a provider's tokens are bound (DPoP, RFC 9449). IndexedDB lets pages use a key, but not copy it.
 * All tabs share it.
 */
import type { DPoPState, UserManagerSettings } from 'oidc-client-ts';

type DPoPStore = NonNullable<UserManagerSettings['dpop']>['store'];

const DATABASE = 'waypost.keys';
const TABLE = 'keys';

export class KeyStore implements DPoPStore {
  readonly #prefix: string;
  #database: Promise<IDBDatabase> | null = null;

  constructor(issuer: string) {
    this.#prefix = `${issuer} `;
  }

  get(clientId: string): Promise<DPoPState> {
    return this.#run('readonly', table => table.get(this.#prefix + clientId));
  }

  async set(clientId: string, state: DPoPState): Promise<void> {
    await this.#run('readwrite', table => table.put({ ...state }, this.#prefix + clientId));
  }

  async remove(clientId: string): Promise<DPoPState> {
    const removed = await this.get(clientId);
    await this.#run('readwrite', table => table.delete(this.#prefix + clientId));
    return removed;
  }

  async getAllKeys(): Promise<string[]> {
    const names = await this.#run('readonly', table => table.getAllKeys());
    return names
      .map(String)
      .filter(name => name.startsWith(this.#prefix))
      .map(name => name.slice(this.#prefix.length));
  }

  async #run<T>(mode: IDBTransactionMode, start: (table: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    this.#database ??= open(() => (this.#database = null)).catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return resultOf(start((await this.#database).transaction(TABLE, mode).objectStore(TABLE)));
  }
}

/** Browsers close the database, for example without memory. */
async function open(onClose: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(TABLE));
  const database = await resultOf(request);
  database.addEventListener('close', onClose);
  return database;
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}
