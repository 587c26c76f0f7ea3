/** Unsaved work, kept on the device per account and tour until the server has it: it survives an outage and a reload. */
import type { SavedDraft, DraftContent } from './draft';

export interface KeptDraft {
  readonly content: DraftContent;
  /** What the content is based on. */
  readonly base: SavedDraft;
}

export interface DraftShelf {
  read(): KeptDraft | null;
  write(kept: KeptDraft): void;
  clear(): void;
}

const FORMAT = 1;

/** `storage` may be missing or full; then work is kept only as long as the page is open. */
export function draftShelf(storage: Storage | undefined, accountId: string, tourId: string): DraftShelf {
  const key = `waypost:draft:${accountId}:${tourId}`;
  return {
    read() {
      try {
        const text = storage?.getItem(key);
        const kept: unknown = text ? JSON.parse(text) : null;
        return isKept(kept) ? kept : null;
      } catch {
        return null;
      }
    },
    write(kept) {
      try {
        storage?.setItem(key, JSON.stringify({ format: FORMAT, ...kept }));
      } catch {
        // A full or forbidden storage must not stop anybody from writing; the banner says that the server does not answer.
      }
    },
    clear() {
      try {
        storage?.removeItem(key);
      } catch {
        // As above.
      }
    },
  };
}

function isKept(value: unknown): value is KeptDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    value.format === FORMAT &&
    'content' in value &&
    'base' in value
  );
}
