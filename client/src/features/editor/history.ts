/**
 * What can be undone and redone: whole contents, which share whatever an edit left alone, each with what the edit was
 * about. Typing in one field is one edit until the person pauses.
 */
import { applyChanges } from '../tour/difference';
import { renameSteps, sameContent, type DraftContent } from '../tour/draft';

/** What an edit was about. */
export interface EditDescription {
  /** As in "Undo: title of “Welcome”". */
  readonly name: string;
  /** The key of the step where it happened, where there was one. */
  readonly step?: string;
  /** The field that was typed in or chosen. Edits of one field run together. */
  readonly field?: string;
}

export interface HistoryEntry {
  /** The content on the other side of the edit. */
  readonly content: DraftContent;
  readonly description: EditDescription;
  /** When the first and the last of its changes happened, in milliseconds. */
  readonly startedAt: number;
  readonly changedAt: number;
}

/** The newest edit is the last of `past`; what was undone last is the last of `future`. */
export interface History {
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

export const emptyHistory: History = { past: [], future: [] };

/** A pause this long ends an edit, and so does typing this long without one; in milliseconds. */
const MERGE_PAUSE_MS = 1000;
const MAX_EDIT_DURATION_MS = 6000;
const MAX_ENTRIES = 200;

/** Notes an edit that is being made to `before`. */
export function recordEdit(
  { past, future }: History,
  before: DraftContent,
  description: EditDescription,
  now: number,
): History {
  const last = past.at(-1);
  const continuesLast =
    last !== undefined &&
    future.length === 0 &&
    description.field !== undefined &&
    description.field === last.description.field &&
    description.step === last.description.step &&
    now - last.changedAt < MERGE_PAUSE_MS &&
    now - last.startedAt < MAX_EDIT_DURATION_MS;
  const entry: HistoryEntry = continuesLast
    ? { ...last, description, changedAt: now }
    : { content: before, description, startedAt: now, changedAt: now };
  return { past: [...(continuesLast ? past.slice(0, -1) : past), entry].slice(-MAX_ENTRIES), future: [] };
}

export interface HistoryStep {
  readonly history: History;
  readonly content: DraftContent;
  readonly description: EditDescription;
}

export function undoEdit({ past, future }: History, current: DraftContent): HistoryStep | null {
  const entry = past.at(-1);
  if (!entry) return null;
  const { content, description } = entry;
  return {
    content,
    description,
    history: { past: past.slice(0, -1), future: [...future, { ...entry, content: current }] },
  };
}

export function redoEdit({ past, future }: History, current: DraftContent): HistoryStep | null {
  const entry = future.at(-1);
  if (!entry) return null;
  const { content, description } = entry;
  // What is typed next is an edit of its own.
  const undoEntry = { ...entry, content: current, changedAt: Number.NEGATIVE_INFINITY };
  return { content, description, history: { past: [...past, undoEntry], future: future.slice(0, -1) } };
}

/** After steps were given other keys, so that everything here speaks of the same steps. */
export function renameHistorySteps(history: History, names: ReadonlyMap<string, string>): History {
  const rename = (entries: readonly HistoryEntry[]) =>
    entries.map(entry => ({ ...entry, content: renameSteps(entry.content, names) }));
  return names.size === 0 ? history : { past: rename(history.past), future: rename(history.future) };
}

/**
 * Somebody else's changes came in: from `before` the content became `after`. They are not to be undone by undoing what
 * was done here, so they are taken over into everything that undoing and redoing lead to.
 */
export function rebaseHistory({ past, future }: History, before: DraftContent, after: DraftContent): History {
  const rebase = (entries: readonly HistoryEntry[]): HistoryEntry[] => {
    const rebased: HistoryEntry[] = [];
    // From the newest on: an edit of which nothing is left has nothing to undo.
    let next = after;
    for (const entry of entries.toReversed()) {
      const content = applyChanges(entry.content, before, after);
      if (!sameContent(content, next)) rebased.push({ ...entry, content });
      next = content;
    }
    return rebased.toReversed();
  };
  return { past: rebase(past), future: rebase(future) };
}
