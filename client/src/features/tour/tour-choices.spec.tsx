import { ApolloProvider } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { makeClient } from '../../shared/api/client';
import { renderHook } from '../../shared/testing';
import { emptyWorkspace } from '../workspace/fixtures';
import { WorkspaceContext } from '../workspace/workspace-context';
import { useTourChoices } from './tour-choices';

const row = (id: string) => ({ __typename: 'Tour', id, slug: id, title: id });

it('loads every page of the list, and keeps the loaded ones if a page fails', async () => {
  const requestedCursors: unknown[] = [];
  const pages: Record<string, [string, string | null]> = { '': ['a', 'a'], a: ['b', 'b'], b: ['c', 'c'] };
  const client = makeClient({
    uri: 'http://localhost/graphql',
    fetch: async (_url, init) => {
      const { after } = (JSON.parse(String(init?.body)) as { variables: { after?: string } }).variables;
      requestedCursors.push(after);
      const found = pages[after ?? ''];
      if (!found) throw new TypeError('Failed to fetch');
      const tours = {
        __typename: 'TourConnection',
        nodes: [row(found[0])],
        pageInfo: { __typename: 'PageInfo', hasNextPage: true, endCursor: found[1] },
        totalCount: 4,
      };
      return Response.json({ data: { tours } });
    },
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ApolloProvider client={client}>
      <WorkspaceContext value={emptyWorkspace}>{children}</WorkspaceContext>
    </ApolloProvider>
  );
  const { result } = renderHook(() => useTourChoices(), { wrapper });
  await expect.poll(() => requestedCursors).toContain('c');
  await expect.poll(() => result.current.data?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});
