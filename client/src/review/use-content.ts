/** The content of a revision, kept current while it is open. */
import { useEffect } from 'react';
import { useRevisionContentQuery } from '../generated/hooks';
import type { RevisionContentQuery } from '../generated/operations';
import { freshStart, savedDraftOf, type DraftContent } from '../tour/draft';
import { useTour } from '../tour/tour-context';

export type RevisionWithContent = NonNullable<RevisionContentQuery['revision']>;

/** What a tour has before it has anything. */
export const noContent: DraftContent = {
  steps: [],
  start: freshStart,
  themeId: null,
};

/** Without an id nothing is asked for. */
export function useContent(id: string | undefined) {
  const { draft } = useTour();
  const result = useRevisionContentQuery({
    variables: { id: id ?? '' },
    skip: id === undefined,
    fetchPolicy: 'cache-and-network',
  });
  // The live stream brings the number of a newer version, not what is in it.
  const { refetch } = result;
  const version = draft.id === id ? draft.version : null;
  useEffect(() => {
    if (version !== null) refetch().catch(() => undefined);
  }, [version, refetch]);
  return result;
}

export const contentOf = (revision: RevisionWithContent): DraftContent => savedDraftOf(revision).content;
