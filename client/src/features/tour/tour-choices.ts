import { useEffect } from 'react';
import { useTourChoicesQuery } from '../../generated/hooks';
import { useWorkspace } from '../workspace/workspace-context';

export interface TourChoice {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
}

/** The tours already loaded can be chosen in the meantime. */
export function useTourChoices() {
  const { id } = useWorkspace();
  const { data, error, loading, refetch, fetchMore } = useTourChoicesQuery({
    variables: { workspaceId: id, search: null, first: 100 },
  });
  const after = data?.tours.pageInfo.hasNextPage ? data.tours.pageInfo.endCursor : null;
  useEffect(() => {
    // The tours loaded so far remain usable, so the error is ignored.
    if (after !== null) void fetchMore({ variables: { after } }).catch(() => undefined);
  }, [after, fetchMore]);
  return { data: data?.tours.nodes, error, loading, refetch };
}
