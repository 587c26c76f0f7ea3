/**
 * Shares a session between the tabs of this browser, so that a new tab needs no click, and a refresh token is used once.
 *
 * Tabs send tokens through a BroadcastChannel, which only pages of this origin receive. Each tab holds a Web Lock whose
 * name contains the version of its tokens, so that a tab recognizes outdated tokens also if the others are frozen and
 * do not respond. Without Web Locks, nothing is shared.
 */
import { ErrorTimeout, User } from 'oidc-client-ts';
import { createStore } from '../../../shared/create-store';
import { accountKeyOf } from './account-key';
import { heldLocks, locks, shareLock } from './tab-locks';

/** Limit of the wait for an answer of another tab. Background tabs answer within milliseconds, frozen tabs never. */
const ANSWER_TIMEOUT_MS = 2000;

/** Limit of the wait for the renewal of another tab, which has a timeout. Then this tab reports the outage, too. */
const RENEWAL_WAIT_MS = 9000;

interface Version {
  /** Identifies the sign-in. */
  session: string;
  /** Increases with each renewal. */
  number: number;
}

type Message =
  /** `session` is null if any will do. */
  { kind: 'request'; session: string | null } | { kind: 'tokens'; version: Version; user: string };

interface Tab {
  /** Has the version of the tokens, which is no secret, so that a reloaded tab continues its session. */
  storage: Storage;
  load: () => Promise<User | null>;
  /** Stores tokens of another tab, and continues with them. */
  receive: (user: User) => Promise<void>;
}

export class SessionSharing {
  readonly #key: string;
  readonly #tab: Tab;
  readonly #channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('waypost.session');
  #version: Version | null = null;
  #releaseVersion: () => void = () => {};
  /** The session of this tab before its page was loaded. */
  readonly #previous: Version | null;
  /** Accepts offered tokens while this tab has requested some. */
  #isWelcome: (user: User, version: Version) => boolean = () => false;
  /** The number of received messages with tokens. */
  readonly #received = createStore(0);

  constructor(key: string, tab: Tab) {
    this.#key = `waypost:session:${key}`;
    this.#tab = tab;
    this.#previous = parseVersion(tab.storage.getItem(this.#key));
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data)) void this.#onMessage(data);
    });
  }

  /** Continues to share the tokens that this tab stored before its page was loaded. */
  async resume(): Promise<void> {
    await this.#hold(this.#previous ?? newVersion());
  }

  /** Shares new tokens. `isNewSession` after a sign-in, whose tokens other tabs do not take over. */
  async publish(user: User, isNewSession: boolean): Promise<void> {
    const previous = this.#version;
    await this.#hold(isNewSession || previous === null ? newVersion() : next(previous));
    if (this.#version !== null) this.#send({ kind: 'tokens', version: this.#version, user: user.toStorageString() });
  }

  stop(): void {
    this.#version = null;
    this.#releaseVersion();
    this.#tab.storage.removeItem(this.#key);
  }

  /** Gets the session of another tab. Returns false if no tab has a session or responds. */
  async join(): Promise<boolean> {
    const others = await this.#versionsOfOthers();
    if (this.#channel === null || others.length === 0) return false;
    const own = await this.#tab.load();
    const last = (this.#version ?? this.#previous)?.session;
    // After a reload, a tab continues its own session, and not that of another account.
    const session = others.find(other => other.session === last)?.session ?? null;
    this.#isWelcome = (user, version) =>
      (session === null || session === version.session) && (own === null || accountKeyOf(user) === accountKeyOf(own));
    const isJoined = this.#waitFor(() => true);
    this.#send({ kind: 'request', session });
    try {
      return await isJoined;
    } finally {
      this.#isWelcome = () => false;
    }
  }

  /**
   * Runs one renewal of the session at a time. `isOutdated` is true if another tab has newer tokens that it does not
   * send: the refresh token of this tab has been used.
   */
  async exclusively<T>(renew: (isOutdated: boolean) => Promise<T>): Promise<T> {
    const manager = locks();
    const { session } = this.#version ?? {};
    if (!manager || session === undefined) return renew(false);
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(new ErrorTimeout('timeout of another tab')), RENEWAL_WAIT_MS);
    const run = async () => {
      clearTimeout(timer);
      return renew(await this.#isOutdated());
    };
    try {
      return await manager.request(`${this.#key}:renewal:${session}`, { signal: waiting.signal }, run);
    } finally {
      clearTimeout(timer);
    }
  }

  async #isOutdated(): Promise<boolean> {
    const newest = Math.max(0, ...(await this.#versionsOfOthers()).filter(this.#isOfSession).map(each => each.number));
    const hasNewest = () => this.#version === null || this.#version.number >= newest;
    // The message may arrive after the lock.
    if (hasNewest()) return false;
    const hasArrived = this.#waitFor(hasNewest);
    this.#send({ kind: 'request', session: this.#version?.session ?? null });
    return !(await hasArrived);
  }

  readonly #isOfSession = ({ session }: Version) => session === this.#version?.session;

  async #onMessage(message: Message): Promise<void> {
    if (message.kind === 'request') return this.#answer(message.session);
    const { version } = message;
    const isNewer = this.#isOfSession(version) && version.number > (this.#version?.number ?? 0);
    const user = parseUser(message.user);
    if (user === null || !(isNewer || this.#isWelcome(user, version))) return undefined;
    this.#isWelcome = () => false;
    // Before the version, because an answer must not send older tokens with it.
    await this.#tab.receive(user);
    await this.#hold(version);
    this.#received.set(this.#received.get() + 1);
    return undefined;
  }

  async #answer(session: string | null): Promise<void> {
    const version = this.#version;
    const user = await this.#tab.load();
    if (version === null || user === null || (session !== null && session !== version.session)) return;
    const isUsable = user.expired !== true || user.refresh_token !== undefined;
    if (isUsable && this.#version === version) this.#send({ kind: 'tokens', version, user: user.toStorageString() });
  }

  /** Resolves to true once tokens were received and `condition` holds, and to false if no tab answers. */
  #waitFor(condition: () => boolean): Promise<boolean> {
    return new Promise(resolve => {
      const finish = (result: boolean) => {
        clearTimeout(timer);
        unsubscribe();
        resolve(result);
      };
      const unsubscribe = this.#received.subscribe(() => {
        if (condition()) finish(true);
      });
      const timer = setTimeout(() => finish(false), ANSWER_TIMEOUT_MS);
    });
  }

  async #hold(version: Version): Promise<void> {
    if (this.#channel === null) return;
    this.#version = version;
    this.#tab.storage.setItem(this.#key, JSON.stringify(version));
    const release = await shareLock(this.#lockName(version));
    if (release === null || this.#version !== version) {
      release?.();
      if (this.#version === version) this.#version = null;
      return;
    }
    this.#releaseVersion();
    this.#releaseVersion = release;
  }

  async #versionsOfOthers(): Promise<Version[]> {
    const prefix = `${this.#key}:version:`;
    const names = await heldLocks(prefix);
    const own = this.#version && this.#lockName(this.#version);
    if (own !== null && names.includes(own)) names.splice(names.indexOf(own), 1);
    return names.flatMap(name => parseVersion(name.slice(prefix.length)) ?? []);
  }

  #lockName(version: Version): string {
    return `${this.#key}:version:${JSON.stringify(version)}`;
  }

  #send(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
    this.#channel?.postMessage(message);
  }
}

function newVersion(): Version {
  return { session: crypto.randomUUID(), number: 1 };
}

function next({ session, number }: Version): Version {
  return { session, number: number + 1 };
}

function isMessage(data: unknown): data is Message {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return false;
  if (data.kind === 'request') return 'session' in data;
  return data.kind === 'tokens' && 'version' in data && isVersion(data.version) && 'user' in data;
}

function isVersion(value: unknown): value is Version {
  if (typeof value !== 'object' || value === null || !('session' in value) || !('number' in value)) return false;
  return typeof value.session === 'string' && typeof value.number === 'number';
}

function parseVersion(text: string | null): Version | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isVersion(value) ? { session: value.session, number: value.number } : null;
  } catch {
    return null;
  }
}

/** Returns null for another text. */
function parseUser(text: unknown): User | null {
  try {
    const user = User.fromStorageString(String(text));
    return typeof user.access_token === 'string' && typeof user.profile.sub === 'string' ? user : null;
  } catch {
    return null;
  }
}
