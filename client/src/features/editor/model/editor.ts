/**
 * Content, saved version, and autosave, without the screen.
 *
 * Changes are stored locally at once and sent after a delay, one save at a time. Newer versions are merged by field,
 * or saving stops for a conflict.
 */

import type { Violation } from '../../../generated/traitql';
import { failedWith, type AppError } from '../../../shared/api/app-error';
import type { Outcome } from '../../../shared/api/run-mutation';
import { createStore } from '../../../shared/create-store';
import { t } from '../../../shared/i18n/en/editor';
import { keyCollisionRenames, differences, isConflict, merge } from '../../tour/difference';
import { checkContent, renameSteps, sameContent, type DraftContent, type SavedDraft } from '../../tour/draft';
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
  | { readonly kind: 'pending' }
  | { readonly kind: 'sending' }
  /** Stored locally. */
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] }
  /** Unreachable. Stored locally. */
  | { readonly kind: 'retrying'; readonly error: AppError; readonly retryAt: number }
  /** Another member saved. `base` is the common ancestor. */
  | { readonly kind: 'conflict'; readonly base: SavedDraft; readonly theirs: SavedDraft }
  | { readonly kind: 'rejected'; readonly error: AppError };

export interface EditorState {
  readonly content: DraftContent;
  readonly saved: SavedDraft;
  readonly save: SaveState;
  readonly restored: boolean;
  readonly mergedFrom: string | null;
  /** False if local storage is unavailable or full. */
  readonly storedLocally: boolean;
  readonly undo: EditDescription | null;
  readonly redo: EditDescription | null;
}

export interface EditorEffects {
  save(content: DraftContent, expectedVersion: number): Promise<Outcome<SavedDraft>>;
  load(): Promise<Outcome<SavedDraft>>;
  localDraft: LocalDraftStore;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
}

export interface Editor {
  getState(): EditorState;
  /** The editor saves while it has subscribers, and once after the last one. */
  subscribe(listener: () => void): () => void;
  edit(change: (content: DraftContent) => DraftContent, description: EditDescription): void;
  undo(): EditDescription | null;
  redo(): EditDescription | null;
  flush(): void;
  resolve(content: DraftContent): void;
  notifyVersion(version: number): void;
  isDirty(): boolean;
}

const SAVE_DELAY_MS = 700;
const FIRST_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 15_000;

export function createEditor(initial: SavedDraft, effects: EditorEffects): Editor {
  let history = emptyHistory;
  let isWatched = false;
  const store = createStore<EditorState>(
    {
      content: initial.content,
      saved: initial,
      save: { kind: 'saved' },
      restored: false,
      mergedFrom: null,
      storedLocally: true,
      undo: null,
      redo: null,
    },
    () => {
      isWatched = true;
      updateSaveState();
      return () => {
        isWatched = false;
        cancel?.();
        void send();
      };
    },
  );
  const state = store.get;
  let cancel: (() => void) | null = null;
  let retries = 0;

  const set = (patch: Partial<EditorState>) => {
    store.set({
      ...state(),
      ...patch,
      undo: history.past.at(-1)?.description ?? null,
      redo: history.future.at(-1)?.description ?? null,
    });
  };
  const scheduleSend = (ms: number) => {
    cancel?.();
    if (!isWatched) return;
    cancel = effects.schedule(ms, () => {
      cancel = null;
      void send();
    });
  };
  const storeLocally = () => {
    const storedLocally = effects.localDraft.write({ content: state().content, base: state().saved });
    if (storedLocally !== state().storedLocally) set({ storedLocally });
  };
  const isDirty = () => !sameContent(state().content, state().saved.content);

  /** Stores, validates or schedules the content. */
  const updateSaveState = () => {
    if (state().save.kind === 'sending' || state().save.kind === 'conflict') {
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
    const violations = checkContent(state().content);
    if (violations.length > 0) {
      cancel?.();
      set({ save: { kind: 'invalid', violations } });
      return;
    }
    set({ save: { kind: 'pending' } });
    scheduleSend(SAVE_DELAY_MS);
  };

  const send = async (): Promise<void> => {
    if (state().save.kind === 'sending' || state().save.kind === 'conflict' || !isDirty()) return;
    if (checkContent(state().content).length > 0) return;
    cancel?.();
    set({ save: { kind: 'sending' } });
    const outcome = await effects.save(state().content, state().saved.version);
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
    // The user signs in again in this page, so the save can succeed later.
    const isTransient = error.retryable || (error.kind === 'graphql' && error.code === 'UNAUTHENTICATED');
    if (!isTransient) {
      set({ save: { kind: 'rejected', error } });
      return;
    }
    const delayMs = error.retryAfterMs ?? Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** retries);
    retries += 1;
    set({ save: { kind: 'retrying', error, retryAt: effects.now() + delayMs } });
    scheduleSend(delayMs);
  };

  /** Loads the draft of the server, and merges it unless there is a conflict. */
  const loadAndReconcile = async (): Promise<void> => {
    const outcome = await effects.load();
    if (!outcome.ok) {
      fail(outcome.error);
      return;
    }
    reconcile(state().saved, outcome.data);
    updateSaveState();
  };

  const reconcile = (base: SavedDraft, theirs: SavedDraft): void => {
    if ([base.content, state().content].some(each => sameContent(theirs.content, each))) {
      set({ saved: theirs, save: { kind: 'pending' } });
      return;
    }
    const isDirtySinceBase = !sameContent(state().content, base.content);
    const names = keyCollisionRenames(base.content, state().content, theirs.content);
    const mine = renameSteps(state().content, names);
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
    // After a reload without the server.
    const isInitialOlder = initial.version < draft.base.version;
    const hasSameBase = draft.base.version === initial.version || sameContent(draft.base.content, initial.content);
    store.set({ ...state(), content: draft.content, saved: hasSameBase ? initial : draft.base, restored: true });
    if (!hasSameBase && !isInitialOlder) reconcile(draft.base, initial);
    updateSaveState();
  } else if (draft) {
    effects.localDraft.clear();
  }

  return {
    getState: store.get,
    subscribe: store.subscribe,
    edit(change, description) {
      const content = change(state().content);
      if (content === state().content) return;
      history = recordEdit(history, state().content, description, effects.now());
      set({ content, mergedFrom: null });
      updateSaveState();
    },
    undo: () => applyHistoryStep(undoEdit(history, state().content)),
    redo: () => applyHistoryStep(redoEdit(history, state().content)),
    flush() {
      if (state().save.kind === 'rejected') set({ save: { kind: 'pending' } });
      void send();
    },
    resolve(content) {
      const { save } = state();
      if (save.kind !== 'conflict') return;
      const { base, theirs } = save;
      // Only the user's choices can be undone, not the other member's changes.
      const proposed = merge(
        state().content,
        theirs.content,
        differences(base.content, state().content, theirs.content),
      );
      history = rebaseHistory(history, state().content, proposed);
      if (!sameContent(proposed, content)) {
        history = recordEdit(history, proposed, { name: t.edits.choice }, effects.now());
      }
      set({ content, saved: theirs, save: { kind: 'pending' } });
      updateSaveState();
    },
    notifyVersion(version) {
      if (version === state().saved.version || state().save.kind === 'sending' || state().save.kind === 'conflict')
        return;
      // Unsaved changes are merged when they are sent.
      if (!isDirty()) void loadAndReconcile();
    },
    isDirty,
  };
}
