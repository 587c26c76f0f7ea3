/** Unsaved changes survive outages and reloads. */

import type { SavedDraft, DraftContent } from '../../tour/draft';

export interface LocalDraft {
  readonly content: DraftContent;
  readonly base: SavedDraft;
}

export interface LocalDraftStore {
  /** This store then owns the draft. */
  read(): LocalDraft | null;
  write(draft: LocalDraft): boolean;
  /** Keeps drafts of other stores. */
  clear(): void;
}

const FORMAT = 1;

/**
 * `storage` may be missing or full; drafts are then lost when the page closes.
 *
 * Each store has its own key, because several tabs can edit a tour, and never changes a draft that another store has
 * written since.
 */
export function localDraftStore(storage: Storage | undefined, accountId: string, tourId: string): LocalDraftStore {
  const prefix = `waypost:draft:${accountId}:${tourId}:`;
  let key: string | null = null;
  /** The text that this tab has written or read last. */
  let ownText: string | null = null;

  const unusedKey = (area: Storage): string => {
    for (let number = 1; ; number += 1) {
      if (area.getItem(`${prefix}${number}`) === null) return `${prefix}${number}`;
    }
  };
  const isOwn = (area: Storage): boolean => key !== null && ownText !== null && area.getItem(key) === ownText;

  return {
    read() {
      try {
        const found = storage ? newestOf(storage, prefix) : null;
        if (!found) return null;
        ({ key, text: ownText } = found);
        return found.draft;
      } catch {
        return null;
      }
    },
    write(draft) {
      try {
        if (!storage) return false;
        if (key === null || !isOwn(storage)) key = unusedKey(storage);
        const text = JSON.stringify({ format: FORMAT, ...draft });
        storage.setItem(key, text);
        ownText = text;
        return true;
      } catch {
        // Editing continues; the editor shows that the draft is not stored.
        return false;
      }
    },
    clear() {
      try {
        if (storage && key !== null && isOwn(storage)) storage.removeItem(key);
        key = null;
        ownText = null;
      } catch {
        // The next visit discards the draft.
      }
    },
  };
}

/** Others are offered later. */
function newestOf(storage: Storage, prefix: string): { key: string; text: string; draft: LocalDraft } | null {
  const found = Array.from({ length: storage.length }, (_, index) => storage.key(index)).flatMap(key => {
    if (!key?.startsWith(prefix)) return [];
    const text = storage.getItem(key) ?? '';
    const draft = parseDraft(text);
    return draft ? [{ key, text, draft }] : [];
  });
  return found.reduce<(typeof found)[number] | null>(
    (best, each) => (best && best.draft.base.version >= each.draft.base.version ? best : each),
    null,
  );
}

function parseDraft(text: string): LocalDraft | null {
  try {
    const draft: unknown = JSON.parse(text);
    return isLocalDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isLocalDraft(value: unknown): value is LocalDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    value.format === FORMAT &&
    'content' in value &&
    'base' in value
  );
}
