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
import { keyCollisionRenames, differences, isConflict, merge } from '../tour/difference';
import { checkContent, renameSteps, sameContent, type DraftContent, type SavedDraft } from '../tour/draft';
import {
  emptyHistory,
  recordEdit,
  rebaseHistory,
  redoEdit,
  renameHistorySteps,
  undoEdit,
  type EditDescription,
  type HistoryStep,
} from './history';
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
  readonly mergedFrom: string | null;
  /** False when the device refused to keep what is unsaved: then it exists in this page only. */
  readonly storedLocally: boolean;
  /** What undoing and redoing would be about. */
  readonly undo: EditDescription | null;
  readonly redo: EditDescription | null;
}

export interface EditorEffects {
  save(content: DraftContent, expectedVersion: number): Promise<Outcome<SavedDraft>>;
  load(): Promise<Outcome<SavedDraft>>;
  localDraft: LocalDraftStore;
  now(): number;
  /** Runs later; returns how to call it off. */
  schedule(ms: number, run: () => void): () => void;
}

export interface Editor {
  getState(): EditorState;
  /** The editor works while somebody listens. When the last one goes, what is unsaved is sent once more. */
  subscribe(listener: () => void): () => void;
  edit(change: (content: DraftContent) => DraftContent, description: EditDescription): void;
  /** Takes the last edit back; answers with what it was about. */
  undo(): EditDescription | null;
  redo(): EditDescription | null;
  /** Sends what is unsaved now: on leaving, on coming online, on the person's wish. */
  flush(): void;
  /** Ends a conflict with the content that the person chose. */
  resolve(content: DraftContent): void;
  /** Says that the server may have a newer version than this editor. */
  notifyVersion(version: number): void;
  /** Whether something is not on the server yet. */
  isDirty(): boolean;
}

const SAVE_DELAY_MS = 700;
const FIRST_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 15_000;

export function createEditor(initial: SavedDraft, effects: EditorEffects): Editor {
  const listeners = new Set<() => void>();
  let history = emptyHistory;
  let state: EditorState = {
    content: initial.content,
    saved: initial,
    save: { kind: 'saved' },
    restored: false,
    mergedFrom: null,
    storedLocally: true,
    undo: null,
    redo: null,
  };
  let cancel: (() => void) | null = null;
  let retries = 0;

  const set = (patch: Partial<EditorState>) => {
    state = {
      ...state,
      ...patch,
      undo: history.past.at(-1)?.description ?? null,
      redo: history.future.at(-1)?.description ?? null,
    };
    for (const listener of listeners) listener();
  };
  const scheduleSend = (ms: number) => {
    cancel?.();
    if (listeners.size === 0) return;
    cancel = effects.schedule(ms, () => {
      cancel = null;
      void send();
    });
  };
  const storeLocally = () => {
    const storedLocally = effects.localDraft.write({ content: state.content, base: state.saved });
    if (storedLocally !== state.storedLocally) set({ storedLocally });
  };
  const isDirty = () => !sameContent(state.content, state.saved.content);

  /** Decides what is to be done with the content as it is now. */
  const updateSaveState = () => {
    if (state.save.kind === 'sending' || state.save.kind === 'conflict') {
      storeLocally();
      return;
    }
    if (!isDirty()) {
      cancel?.();
      effects.localDraft.clear();
      set({ save: { kind: 'saved' }, restored: false, storedLocally: true });
      return;
    }
    storeLocally();
    const violations = checkContent(state.content);
    if (violations.length > 0) {
      cancel?.();
      set({ save: { kind: 'held', violations } });
      return;
    }
    set({ save: { kind: 'pending' } });
    scheduleSend(SAVE_DELAY_MS);
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
      updateSaveState();
    } else if (failedWith<'TourSave'>(outcome.error, 'VERSION_CONFLICT')) {
      await loadAndReconcile();
    } else {
      fail(outcome.error);
    }
  };

  const fail = (error: AppError) => {
    // Signing in again happens without leaving this page; then the same save succeeds.
    const isTransient = error.retryable || (error.kind === 'graphql' && error.code === 'UNAUTHENTICATED');
    if (!isTransient) {
      set({ save: { kind: 'refused', error } });
      return;
    }
    const delayMs = error.retryAfterMs ?? Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** retries);
    retries += 1;
    set({ save: { kind: 'waiting', error, retryAt: effects.now() + delayMs } });
    scheduleSend(delayMs);
  };

  /** Somebody else may have saved: looks at what the server has, and goes on where nothing collides. */
  const loadAndReconcile = async (): Promise<void> => {
    const outcome = await effects.load();
    if (!outcome.ok) {
      fail(outcome.error);
      return;
    }
    reconcile(state.saved, outcome.data);
    updateSaveState();
  };

  /** The server has `theirs` now, and this editor worked on top of `base`: puts both together, or asks. */
  const reconcile = (base: SavedDraft, theirs: SavedDraft): void => {
    if ([base.content, state.content].some(each => sameContent(theirs.content, each))) {
      set({ saved: theirs, save: { kind: 'pending' } });
      return;
    }
    const isDirtySinceBase = !sameContent(state.content, base.content);
    const names = keyCollisionRenames(base.content, state.content, theirs.content);
    const mine = renameSteps(state.content, names);
    history = renameHistorySteps(history, names);
    const parts = differences(base.content, mine, theirs.content);
    if (parts.some(isConflict)) {
      cancel?.();
      set({ content: mine, save: { kind: 'conflict', base, theirs } });
      return;
    }
    const content = merge(mine, theirs.content, parts);
    history = rebaseHistory(history, mine, content);
    set({ content, saved: theirs, save: { kind: 'pending' }, mergedFrom: isDirtySinceBase ? theirs.author : null });
  };

  const applyHistoryStep = (step: HistoryStep | null): EditDescription | null => {
    if (!step) return null;
    ({ history } = step);
    set({ content: step.content, mergedFrom: null });
    updateSaveState();
    return step.description;
  };

  const draft = effects.localDraft.read();
  if (draft && !sameContent(draft.content, initial.content)) {
    // What is at hand after a reload without the server can be older than what the work is based on.
    const isInitialOlder = initial.version < draft.base.version;
    const hasSameBase = draft.base.version === initial.version || sameContent(draft.base.content, initial.content);
    state = { ...state, content: draft.content, saved: hasSameBase ? initial : draft.base, restored: true };
    if (!hasSameBase && !isInitialOlder) reconcile(draft.base, initial);
    updateSaveState();
  } else if (draft) {
    effects.localDraft.clear();
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) updateSaveState();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        cancel?.();
        void send();
      };
    },
    edit(change, description) {
      const content = change(state.content);
      if (content === state.content) return;
      history = recordEdit(history, state.content, description, effects.now());
      set({ content, mergedFrom: null });
      updateSaveState();
    },
    undo: () => applyHistoryStep(undoEdit(history, state.content)),
    redo: () => applyHistoryStep(redoEdit(history, state.content)),
    flush() {
      if (state.save.kind === 'refused') set({ save: { kind: 'pending' } });
      void send();
    },
    resolve(content) {
      if (state.save.kind !== 'conflict') return;
      const { base, theirs } = state.save;
      // As if only the fields that both changed had been chosen here: that choice can be undone, what they did cannot.
      const proposed = merge(state.content, theirs.content, differences(base.content, state.content, theirs.content));
      history = rebaseHistory(history, state.content, proposed);
      if (!sameContent(proposed, content)) {
        history = recordEdit(history, proposed, { name: t.edits.choice }, effects.now());
      }
      set({ content, saved: theirs, save: { kind: 'pending' } });
      updateSaveState();
    },
    notifyVersion(version) {
      if (version === state.saved.version || state.save.kind === 'sending' || state.save.kind === 'conflict') return;
      // Own unsaved work meets the newer version when it is sent; without any, the newer version is simply shown.
      if (!isDirty()) void loadAndReconcile();
    },
    isDirty,
  };
}
