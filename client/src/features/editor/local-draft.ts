/** Unsaved work, kept on the device per account and tour until the server has it: it survives an outage and a reload. */
import type { SavedDraft, DraftContent } from '../tour/draft';

export interface LocalDraft {
  readonly content: DraftContent;
  /** What the content is based on. */
  readonly base: SavedDraft;
}

export interface LocalDraftStore {
  /** What waits here from an earlier visit. From then on it is this shelf's own. */
  read(): LocalDraft | null;
  /** Whether the device took it. */
  write(draft: LocalDraft): boolean;
  /** Removes what this shelf wrote or read, and nothing else. */
  clear(): void;
}

const FORMAT = 1;

/**
 * `storage` may be missing or full; then work is kept only as long as the page is open.
 *
 * Several tabs may have the same tour open, each with work of its own: each shelf writes to a place of its own, and
 * leaves alone what another one has put there since.
 */
export function localDraftStore(storage: Storage | undefined, accountId: string, tourId: string): LocalDraftStore {
  const prefix = `waypost:draft:${accountId}:${tourId}:`;
  let key: string | null = null;
  /** What this shelf knows to be at its place. */
  let ownText: string | null = null;

  const unusedKey = (from: Storage): string => {
    for (let number = 1; ; number += 1) {
      if (from.getItem(`${prefix}${number}`) === null) return `${prefix}${number}`;
    }
  };
  const isOwn = (from: Storage): boolean => key !== null && ownText !== null && from.getItem(key) === ownText;

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
        // A full or forbidden storage must not stop anybody from writing; the editor says that nothing is kept.
        return false;
      }
    },
    clear() {
      try {
        if (storage && key !== null && isOwn(storage)) storage.removeItem(key);
        key = null;
        ownText = null;
      } catch {
        // What cannot be removed is found again at the next visit, and found to be on the server already.
      }
    },
  };
}

/** Of all that is kept for the tour, the draft with the newest base; the others wait for the next visits. */
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
