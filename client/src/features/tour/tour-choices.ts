import { useEffect } from 'react';
import { useToursQuery } from '../../generated/hooks';
import type { ReleaseState } from '../../generated/operations';
import { useWorkspace } from '../workspace/workspace-context';

export interface TourChoice {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Its releases that have not ended. */
  readonly open: readonly { readonly state: ReleaseState; readonly site: { readonly id: string } }[];
}

/** The tours already loaded can be chosen in the meantime. */
export function useTourChoices() {
  const { id } = useWorkspace();
  const { data, error, loading, refetch, fetchMore } = useToursQuery({
    variables: { workspaceId: id, search: null, status: null, draftState: null, first: 100 },
  });
  const after = data?.tours.pageInfo.hasNextPage ? data.tours.pageInfo.endCursor : null;
  useEffect(() => {
    // The tours loaded so far remain usable, so the error is ignored.
    if (after !== null) void fetchMore({ variables: { after } }).catch(() => undefined);
  }, [after, fetchMore]);
  return { data: data?.tours.nodes, error, loading, refetch };
}
