import { vi } from 'vitest';

type Task = (lock: object | null) => unknown;

/** Web Locks of a browser whose tabs are in this process. */
export class FakeLocks {
  #held: { name: string; shared: boolean }[] = [];
  readonly #waiting: { name: string; shared: boolean; run: () => void }[] = [];

  install(): void {
    vi.stubGlobal('navigator', { locks: this });
  }

  names = (): string[] => this.#held.map(({ name }) => name);

  query = async () => ({ held: [...this.#held], pending: [] });

  /** Releases the locks of all pages. */
  clear(): void {
    this.#held = [];
  }

  request = (name: string, options: LockOptions | Task, task?: Task): Promise<unknown> => {
    if (typeof options === 'function') return this.request(name, {}, options);
    const { mode, ifAvailable, signal } = options;
    const shared = mode === 'shared';
    return new Promise((resolve, reject) => {
      const run = () => {
        const lock = { name, shared };
        this.#held.push(lock);
        const release = () => {
          this.#held = this.#held.filter(each => each !== lock);
          this.#grant();
        };
        void Promise.resolve()
          .then(() => task?.(lock))
          .then(resolve, reject)
          .finally(release);
      };
      if (this.#isFree(name, shared)) return run();
      if (ifAvailable === true) return void Promise.resolve(task?.(null)).then(resolve, reject);
      const entry = { name, shared, run };
      this.#waiting.push(entry);
      signal?.addEventListener('abort', () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal.reason as Error);
      });
      return undefined;
    });
  };

  #isFree(name: string, shared: boolean): boolean {
    return this.#held.every(lock => lock.name !== name || (shared && lock.shared));
  }

  #grant(): void {
    const next = this.#waiting.findIndex(({ name, shared }) => this.#isFree(name, shared));
    if (next !== -1) this.#waiting.splice(next, 1)[0]?.run();
  }
}
