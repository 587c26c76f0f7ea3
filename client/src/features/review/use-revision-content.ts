/** The contents of a tour's revisions: as they are, kept current while they are open, and as they were in a review. */
import { useEffect } from 'react';
import { useReviewContentQuery, useRevisionContentQuery } from '../../generated/hooks';
import type { RevisionContentQuery, TourRevisionsQuery } from '../../generated/operations';
import { defaultStart, type DraftContent } from '../tour/draft';
import { useTour } from '../tour/tour-context';

export type TourWithRevisions = NonNullable<TourRevisionsQuery['tourBySlug']>;
export type RevisionRow = TourWithRevisions['revisions']['nodes'][number];
export type RevisionWithContent = NonNullable<RevisionContentQuery['revision']>;

/** What a tour has before it has anything. */
export const emptyContent: DraftContent = {
  steps: [],
  start: defaultStart,
  themeId: null,
};

/** Without an id nothing is asked for. */
export function useRevisionContent(id: string | undefined) {
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

/** What was looked at in a review that has ended. Without an id nothing is asked for. */
export const useReviewContent = (id: string | undefined) =>
  useReviewContentQuery({ variables: { id: id ?? '' }, skip: id === undefined });
