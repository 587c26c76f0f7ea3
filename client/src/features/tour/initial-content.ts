/**
 * What the editor of a tour begins with when it opens next: a template, a copy, an older revision. It comes in as the editor's
 * first edit: saved like any other, and undone like any other.
 */
import type { DraftContent } from './draft';

export interface InitialContent {
  readonly content: DraftContent;
  /** What undoing it is called. */
  readonly name: string;
  /** Whether it takes the place of what is there; otherwise it is for a tour without steps. */
  readonly replaces?: boolean;
}

const pendingContents = new Map<string, InitialContent>();

export const setInitialContent = (tourId: string, content: InitialContent): void =>
  void pendingContents.set(tourId, content);

export const initialContentOf = (tourId: string): InitialContent | undefined => pendingContents.get(tourId);

export const clearInitialContent = (tourId: string): void => void pendingContents.delete(tourId);
