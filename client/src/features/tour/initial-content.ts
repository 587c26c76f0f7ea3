/** A template or an older revision, applied when the editor opens. An edit that can be undone. */

import type { DraftContent } from './draft';

export interface InitialContent {
  readonly content: DraftContent;
  /** The name of the edit that can be undone. */
  readonly name: string;
  /** True to replace existing steps; otherwise it applies only to a tour without steps. */
  readonly replaces?: boolean;
}

const pendingContents = new Map<string, InitialContent>();

export const setInitialContent = (tourId: string, content: InitialContent): void =>
  void pendingContents.set(tourId, content);

export const initialContentOf = (tourId: string): InitialContent | undefined => pendingContents.get(tourId);

export const clearInitialContent = (tourId: string): void => void pendingContents.delete(tourId);
