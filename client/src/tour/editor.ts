/**
 * The editor without its screen: the content, what the server has of it, and the way between them.
 *
 * Every change is kept on the device at once and sent after a short pause. One save is under way at a time; what changes
 * meanwhile is sent next. A save that fails because the server does not answer is repeated; one that meets a newer
 * version stops and shows the difference. Time, storage and network come from outside.
 */
import { failedWith, type AppError } from '../api/errors';
import type { Violation } from '../generated/traitql';
import type { Outcome } from '../api/act';
import { checkContent, sameContent, type DraftContent, type SavedDraft } from './draft';
import type { DraftShelf } from './kept-draft';

export type SaveState =
  | { readonly kind: 'saved' }
  /** Will be sent after a short pause. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'sending' }
  /** Breaks a rule, so the server would refuse it. Kept on the device. */
  | { readonly kind: 'held'; readonly violations: readonly Violation[] }
  /** The server did not answer; it is asked again at `retryAt`. Kept on the device. */
  | { readonly kind: 'waiting'; readonly error: AppError; readonly retryAt: number }
  /** Somebody else saved meanwhile. `base` is what both began from. */
  | { readonly kind: 'conflict'; readonly base: SavedDraft; readonly theirs: SavedDraft }
  /** The server said no, and will again until something changes. Kept on the device. */
  | { readonly kind: 'refused'; readonly error: AppError };

export interface EditorState {
  readonly content: DraftContent;
  readonly saved: SavedDraft;
  readonly save: SaveState;
  /** Unsaved work of an earlier visit was found on the device. */
  readonly restored: boolean;
}

export interface EditorEffects {
  save(content: DraftContent, expectedVersion: number): Promise<Outcome<SavedDraft>>;
  load(): Promise<Outcome<SavedDraft>>;
  shelf: DraftShelf;
  now(): number;
  /** Runs later; returns how to call it off. */
  later(ms: number, run: () => void): () => void;
}

export interface Editor {
  getState(): EditorState;
  /** The editor works while somebody listens. When the last one goes, what is unsaved is sent once more. */
  subscribe(listener: () => void): () => void;
  edit(change: (content: DraftContent) => DraftContent): void;
  /** Sends what is unsaved now: on leaving, on coming online, on the person's wish. */
  flush(): void;
  /** Ends a conflict with the content that the person chose. */
  resolve(content: DraftContent): void;
  /** Says that the server may have a newer version than this editor. */
  newsOf(version: number): void;
  /** Whether something is not on the server yet. */
  isDirty(): boolean;
}

const PAUSE = 700;
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 15_000;

export function createEditor(initial: SavedDraft, effects: EditorEffects): Editor {
  const listeners = new Set<() => void>();
  let state: EditorState = { content: initial.content, saved: initial, save: { kind: 'saved' }, restored: false };
  let cancel: (() => void) | null = null;
  let retries = 0;

  const set = (patch: Partial<EditorState>) => {
    state = { ...state, ...patch };
    for (const listener of listeners) listener();
  };
  const schedule = (ms: number) => {
    cancel?.();
    if (listeners.size === 0) return;
    cancel = effects.later(ms, () => {
      cancel = null;
      void send();
    });
  };
  const keep = () => effects.shelf.write({ content: state.content, base: state.saved });
  const isDirty = () => !sameContent(state.content, state.saved.content);

  /** Decides what is to be done with the content as it is now. */
  const settle = () => {
    if (state.save.kind === 'sending' || state.save.kind === 'conflict') {
      keep();
      return;
    }
    if (!isDirty()) {
      cancel?.();
      effects.shelf.clear();
      set({ save: { kind: 'saved' }, restored: false });
      return;
    }
    keep();
    const violations = checkContent(state.content);
    if (violations.length > 0) {
      cancel?.();
      set({ save: { kind: 'held', violations } });
      return;
    }
    set({ save: { kind: 'pending' } });
    schedule(PAUSE);
  };

  const send = async (): Promise<void> => {
    if (state.save.kind === 'sending' || state.save.kind === 'conflict' || !isDirty()) return;
    if (checkContent(state.content).length > 0) return;
    cancel?.();
    set({ save: { kind: 'sending' } });
    const outcome = await effects.save(state.content, state.saved.version);
    if (outcome.ok) {
      retries = 0;
      set({ saved: outcome.data, save: { kind: 'pending' } });
      settle();
    } else if (failedWith<'TourSave'>(outcome.error, 'VERSION_CONFLICT')) {
      await meet();
    } else {
      fail(outcome.error);
    }
  };

  const fail = (error: AppError) => {
    // Signing in again happens without leaving this page; then the same save succeeds.
    const passes = error.retryable || (error.kind === 'graphql' && error.code === 'UNAUTHENTICATED');
    if (!passes) {
      set({ save: { kind: 'refused', error } });
      return;
    }
    const wait = error.retryAfterMs ?? Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** retries);
    retries += 1;
    set({ save: { kind: 'waiting', error, retryAt: effects.now() + wait } });
    schedule(wait);
  };

  /** Somebody else may have saved: looks at what the server has, and goes on where nothing collides. */
  const meet = async (): Promise<void> => {
    const outcome = await effects.load();
    if (!outcome.ok) {
      fail(outcome.error);
      return;
    }
    const base = state.saved;
    const theirs = outcome.data;
    const collides = ![base.content, state.content].some(each => sameContent(theirs.content, each));
    if (!collides) {
      set({ saved: theirs, save: { kind: 'pending' } });
      settle();
    } else if (isDirty()) {
      cancel?.();
      set({ save: { kind: 'conflict', base, theirs } });
    } else {
      set({ saved: theirs, content: theirs.content, save: { kind: 'saved' } });
    }
  };

  const kept = effects.shelf.read();
  if (kept && !sameContent(kept.content, initial.content)) {
    const same = kept.base.version === initial.version || sameContent(kept.base.content, initial.content);
    state = same
      ? { ...state, content: kept.content, restored: true }
      : {
          ...state,
          content: kept.content,
          saved: kept.base,
          restored: true,
          save: { kind: 'conflict', base: kept.base, theirs: initial },
        };
    settle();
  } else if (kept) {
    effects.shelf.clear();
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) settle();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        cancel?.();
        void send();
      };
    },
    edit(change) {
      const content = change(state.content);
      if (content === state.content) return;
      set({ content });
      settle();
    },
    flush() {
      if (state.save.kind === 'refused') set({ save: { kind: 'pending' } });
      void send();
    },
    resolve(content) {
      if (state.save.kind !== 'conflict') return;
      const { theirs } = state.save;
      set({ content, saved: theirs, save: { kind: 'pending' } });
      settle();
    },
    newsOf(version) {
      if (version === state.saved.version || state.save.kind === 'sending' || state.save.kind === 'conflict') return;
      // Own unsaved work meets the newer version when it is sent; without any, the newer version is simply shown.
      if (!isDirty()) void meet();
    },
    isDirty,
  };
}
