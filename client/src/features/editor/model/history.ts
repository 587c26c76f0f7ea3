/** Entries are whole contents, which share unchanged parts. Typing in one field is one edit until a pause. */

import { applyChanges } from '../../tour/difference';
import { renameSteps, sameContent, type DraftContent } from '../../tour/draft';

export interface EditDescription {
  readonly name: string;
  readonly step?: string;
  readonly field?: string;
  readonly languages?: boolean;
}

export interface HistoryEntry {
  readonly content: DraftContent;
  readonly description: EditDescription;
  readonly startedAt: number;
  readonly changedAt: number;
}

export interface History {
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

export const emptyHistory: History = { past: [], future: [] };

const MERGE_PAUSE_MS = 1000;
const MAX_EDIT_DURATION_MS = 6000;
const MAX_ENTRIES = 200;

/** Merges the edit with the last one if it continues it. */
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
  // Prevents merging the next change.
  const undoEntry = { ...entry, content: current, changedAt: Number.NEGATIVE_INFINITY };
  return { content, description, history: { past: [...past, undoEntry], future: future.slice(0, -1) } };
}

/** Maps old keys to new ones. */
export function renameHistorySteps(history: History, names: ReadonlyMap<string, string>): History {
  const rename = (entries: readonly HistoryEntry[]) =>
    entries.map(entry => ({ ...entry, content: renameSteps(entry.content, names) }));
  return names.size === 0 ? history : { past: rename(history.past), future: rename(history.future) };
}

/** Applies another member's changes to the history, so that undoing an own edit does not undo them. */
export function rebaseHistory({ past, future }: History, before: DraftContent, after: DraftContent): History {
  const rebase = (entries: readonly HistoryEntry[]): HistoryEntry[] => {
    const rebased: HistoryEntry[] = [];
    // Newest first: an entry equal to the next would undo nothing.
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
