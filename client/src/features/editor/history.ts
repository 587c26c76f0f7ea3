/**
 * What can be undone and redone: whole contents, which share whatever an edit left alone, each with what the edit was
 * about. Typing in one field is one edit until the person pauses.
 */
import { carriedOver } from '../tour/difference';
import { renameSteps, sameContent, type DraftContent } from '../tour/draft';

/** What an edit was about. */
export interface About {
  /** As in "Undo: title of “Welcome”". */
  readonly name: string;
  /** The key of the step where it happened, where there was one. */
  readonly step?: string;
  /** The field that was typed in or chosen. Edits of one field run together. */
  readonly field?: string;
}

export interface Entry {
  /** The content on the other side of the edit. */
  readonly content: DraftContent;
  readonly about: About;
  /** When the first and the last of its changes happened, in milliseconds. */
  readonly began: number;
  readonly touched: number;
}

/** The newest edit is the last of `past`; what was undone last is the last of `future`. */
export interface History {
  readonly past: readonly Entry[];
  readonly future: readonly Entry[];
}

export const noHistory: History = { past: [], future: [] };

/** A pause this long ends an edit, and so does typing this long without one; in milliseconds. */
const PAUSE = 1000;
const LONGEST = 6000;
const KEPT = 200;

/** Notes an edit that is being made to `before`. */
export function noted({ past, future }: History, before: DraftContent, about: About, now: number): History {
  const last = past.at(-1);
  const goesOn =
    last !== undefined &&
    future.length === 0 &&
    about.field !== undefined &&
    about.field === last.about.field &&
    about.step === last.about.step &&
    now - last.touched < PAUSE &&
    now - last.began < LONGEST;
  const entry: Entry = goesOn ? { ...last, about, touched: now } : { content: before, about, began: now, touched: now };
  return { past: [...(goesOn ? past.slice(0, -1) : past), entry].slice(-KEPT), future: [] };
}

export interface Turned {
  readonly history: History;
  readonly content: DraftContent;
  readonly about: About;
}

export function undone({ past, future }: History, current: DraftContent): Turned | null {
  const entry = past.at(-1);
  if (!entry) return null;
  const { content, about } = entry;
  return { content, about, history: { past: past.slice(0, -1), future: [...future, { ...entry, content: current }] } };
}

export function redone({ past, future }: History, current: DraftContent): Turned | null {
  const entry = future.at(-1);
  if (!entry) return null;
  const { content, about } = entry;
  // What is typed next is an edit of its own.
  const again = { ...entry, content: current, touched: Number.NEGATIVE_INFINITY };
  return { content, about, history: { past: [...past, again], future: future.slice(0, -1) } };
}

/** After steps were given other keys, so that everything here speaks of the same steps. */
export function renamed(history: History, names: ReadonlyMap<string, string>): History {
  const of = (entries: readonly Entry[]) =>
    entries.map(entry => ({ ...entry, content: renameSteps(entry.content, names) }));
  return names.size === 0 ? history : { past: of(history.past), future: of(history.future) };
}

/**
 * Somebody else's changes came in: from `before` the content became `after`. They are not to be undone by undoing what
 * was done here, so they are taken over into everything that undoing and redoing lead to.
 */
export function rebased({ past, future }: History, before: DraftContent, after: DraftContent): History {
  const carried = (entries: readonly Entry[]): Entry[] => {
    const kept: Entry[] = [];
    // From the newest on: an edit of which nothing is left has nothing to undo.
    let next = after;
    for (const entry of entries.toReversed()) {
      const content = carriedOver(entry.content, before, after);
      if (!sameContent(content, next)) kept.push({ ...entry, content });
      next = content;
    }
    return kept.toReversed();
  };
  return { past: carried(past), future: carried(future) };
}
