/** Current or as of a review. */

import { useEffect } from 'react';
import { useReviewContentQuery, useRevisionContentQuery } from '../../generated/hooks';
import type { RevisionContentQuery, TourRevisionsQuery } from '../../generated/operations';
import { defaultStart, type DraftContent } from '../tour/draft';
import { useTour } from '../tour/tour-context';

export type TourWithRevisions = NonNullable<TourRevisionsQuery['tourBySlug']>;
export type RevisionRow = TourWithRevisions['revisions']['nodes'][number];
export type RevisionWithContent = NonNullable<RevisionContentQuery['revision']>;

export const emptyContent: DraftContent = {
  steps: [],
  start: defaultStart,
  themeId: null,
  locales: ['en'],
};

/** Refetches new versions. Skipped without an id. */
export function useRevisionContent(id: string | undefined) {
  const { draft } = useTour();
  const result = useRevisionContentQuery({
    variables: { id: id ?? '' },
    skip: id === undefined,
    fetchPolicy: 'cache-and-network',
  });
  // The subscription has no content.
  const { refetch } = result;
  const version = draft.id === id ? draft.version : null;
  useEffect(() => {
    if (version !== null) refetch().catch(() => undefined);
  }, [version, refetch]);
  return result;
}

/** Loads the content as it was when a review ended. Skipped without an id. */
export const useReviewContent = (id: string | undefined) =>
  useReviewContentQuery({ variables: { id: id ?? '' }, skip: id === undefined });
