/**
 * The editor without its screen: the content, what the server has of it, and the way between them.
 *
 * Every change is kept on the device at once and sent after a short pause. One save is under way at a time; what changes
 * meanwhile is sent next. A save that fails because the server does not answer is repeated. One that meets a newer
 * version goes on with both changes where they touch different fields; where both changed the same, it stops and shows
 * the difference. Time, storage and network come from outside.
 */
import type { Violation } from '../../generated/traitql';
import { failedWith, type AppError } from '../../shared/api/app-error';
import type { Outcome } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/editor';
import { clashes, differences, isConflict, merge } from '../tour/difference';
import { checkContent, renameSteps, sameContent, type DraftContent, type SavedDraft } from '../tour/draft';
import { noHistory, noted, rebased, redone, renamed, undone, type About, type Turned } from './history';
import type { LocalDraftStore } from './local-draft';

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
  /** Whose changes were put together with unsaved ones of this editor, since the last edit. */
  readonly joined: string | null;
  /** False when the device refused to keep what is unsaved: then it exists in this page only. */
  readonly kept: boolean;
  /** What undoing and redoing would be about. */
  readonly undo: About | null;
  readonly redo: About | null;
}

export interface EditorEffects {
  save(content: DraftContent, expectedVersion: number): Promise<Outcome<SavedDraft>>;
  load(): Promise<Outcome<SavedDraft>>;
  shelf: LocalDraftStore;
  now(): number;
  /** Runs later; returns how to call it off. */
  later(ms: number, run: () => void): () => void;
}

export interface Editor {
  getState(): EditorState;
  /** The editor works while somebody listens. When the last one goes, what is unsaved is sent once more. */
  subscribe(listener: () => void): () => void;
  edit(change: (content: DraftContent) => DraftContent, about: About): void;
  /** Takes the last edit back; answers with what it was about. */
  undo(): About | null;
  redo(): About | null;
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
  let history = noHistory;
  let state: EditorState = {
    content: initial.content,
    saved: initial,
    save: { kind: 'saved' },
    restored: false,
    joined: null,
    kept: true,
    undo: null,
    redo: null,
  };
  let cancel: (() => void) | null = null;
  let retries = 0;

  const set = (patch: Partial<EditorState>) => {
    state = {
      ...state,
      ...patch,
      undo: history.past.at(-1)?.about ?? null,
      redo: history.future.at(-1)?.about ?? null,
    };
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
  const keep = () => {
    const kept = effects.shelf.write({ content: state.content, base: state.saved });
    if (kept !== state.kept) set({ kept });
  };
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
      set({ save: { kind: 'saved' }, restored: false, kept: true });
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
    reconcile(state.saved, outcome.data);
    settle();
  };

  /** The server has `theirs` now, and this editor worked on top of `base`: puts both together, or asks. */
  const reconcile = (base: SavedDraft, theirs: SavedDraft): void => {
    if ([base.content, state.content].some(each => sameContent(theirs.content, each))) {
      set({ saved: theirs, save: { kind: 'pending' } });
      return;
    }
    const own = !sameContent(state.content, base.content);
    const names = clashes(base.content, state.content, theirs.content);
    const mine = renameSteps(state.content, names);
    history = renamed(history, names);
    const parts = differences(base.content, mine, theirs.content);
    if (parts.some(isConflict)) {
      cancel?.();
      set({ content: mine, save: { kind: 'conflict', base, theirs } });
      return;
    }
    const content = merge(mine, theirs.content, parts);
    history = rebased(history, mine, content);
    set({ content, saved: theirs, save: { kind: 'pending' }, joined: own ? theirs.author : null });
  };

  const turn = (turned: Turned | null): About | null => {
    if (!turned) return null;
    ({ history } = turned);
    set({ content: turned.content, joined: null });
    settle();
    return turned.about;
  };

  const kept = effects.shelf.read();
  if (kept && !sameContent(kept.content, initial.content)) {
    // What is at hand after a reload without the server can be older than what the work is based on.
    const older = initial.version < kept.base.version;
    const same = kept.base.version === initial.version || sameContent(kept.base.content, initial.content);
    state = { ...state, content: kept.content, saved: same ? initial : kept.base, restored: true };
    if (!same && !older) reconcile(kept.base, initial);
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
    edit(change, about) {
      const content = change(state.content);
      if (content === state.content) return;
      history = noted(history, state.content, about, effects.now());
      set({ content, joined: null });
      settle();
    },
    undo: () => turn(undone(history, state.content)),
    redo: () => turn(redone(history, state.content)),
    flush() {
      if (state.save.kind === 'refused') set({ save: { kind: 'pending' } });
      void send();
    },
    resolve(content) {
      if (state.save.kind !== 'conflict') return;
      const { base, theirs } = state.save;
      // As if only the fields that both changed had been chosen here: that choice can be undone, what they did cannot.
      const proposed = merge(state.content, theirs.content, differences(base.content, state.content, theirs.content));
      history = rebased(history, state.content, proposed);
      if (!sameContent(proposed, content)) {
        history = noted(history, proposed, { name: t.edits.choice }, effects.now());
      }
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
