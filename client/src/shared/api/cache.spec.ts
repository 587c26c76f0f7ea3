import { gql } from '@apollo/client';
import { InMemoryCache } from '@apollo/client/cache';
import { describe, expect, it } from 'vitest';
import { lookupById, pages, scalarPolicies, type Page } from '../../generated/policies';
import { evictQuery, makeCache } from './cache';

const tours = gql`
  query ($search: String, $after: String) {
    tours(workspaceId: "w", search: $search, after: $after) {
      nodes {
        id
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

const page = (ids: readonly string[], endCursor: string | null) => ({
  __typename: 'TourConnection',
  nodes: ids.map(id => ({ __typename: 'Tour', id })),
  pageInfo: { __typename: 'PageInfo', hasNextPage: endCursor !== null, endCursor },
});

const idsOf = (data: unknown) =>
  (data as { tours: { nodes: { id: string }[] } } | null)?.tours.nodes.map(({ id }) => id);

describe('pages of a connection', () => {
  it('are appended to the list, and a first page replaces it', () => {
    const cache = makeCache();
    const write = (ids: readonly string[], endCursor: string | null, variables: Record<string, string>) =>
      cache.writeQuery({ query: tours, variables, data: { tours: page(ids, endCursor) } });
    write(['a', 'b'], 'b', {});
    write(['c'], null, { after: 'b' });
    write(['x'], null, { search: 'x' });
    const read = cache.readQuery({ query: tours });
    expect(idsOf(read)).toEqual(['a', 'b', 'c']);
    expect(read).toMatchObject({ tours: { pageInfo: { hasNextPage: false, endCursor: null } } });
    expect(idsOf(cache.readQuery({ query: tours, variables: { search: 'x' } }))).toEqual(['x']);
    write(['new', 'a'], 'a', {});
    expect(idsOf(cache.readQuery({ query: tours }))).toEqual(['new', 'a']);
    evictQuery(cache, 'tours');
    expect(cache.readQuery({ query: tours })).toBeNull();
  });

  it('do not duplicate items that are on two pages', () => {
    const cache = makeCache();
    const write = (ids: readonly string[], variables: Record<string, string>) =>
      cache.writeQuery({ query: tours, variables, data: { tours: page(ids, null) } });
    write(['a', 'b'], {});
    write(['b', 'c'], { after: 'b' });
    write(['b', 'c'], { after: 'b' });
    expect(idsOf(cache.readQuery({ query: tours }))).toEqual(['a', 'b', 'c']);

    const { merge } = pages([]);
    const [a, b, c] = ['a', 'b', 'c'].map(ref => ({ cursor: ref, node: { __ref: ref } }));
    expect(merge({ edges: [a, b] }, { edges: [b, c] }, { args: { after: 'a' } })).toEqual({ edges: [a, b, c] });
    expect(merge({ edges: [b, c] }, { edges: [a, b] }, { args: { before: 'b' } })).toEqual({ edges: [a, b, c] });
  });

  it('can be prepended, with edges, and keep the page info of the whole list', () => {
    const { merge } = pages([]);
    const list = merge(
      undefined,
      { edges: [3, 4], pageInfo: { startCursor: 3, hasPreviousPage: true, endCursor: 4 } },
      { args: {} },
    );
    const longer = merge(
      list,
      { edges: [1, 2], pageInfo: { startCursor: 1, hasPreviousPage: false, endCursor: 2 } },
      { args: { before: 3 } },
    );
    expect(longer).toEqual({
      edges: [1, 2, 3, 4],
      pageInfo: { startCursor: 1, hasPreviousPage: false, endCursor: 4 },
    });
    expect(merge(longer, null, { args: { after: 4 } })).toBeNull();
  });

  it('stay complete if a page in the middle is loaded again', () => {
    const { merge } = pages([]);
    const page = (ids: string, more: boolean) => ({
      edges: [...ids].map(ref => ({ cursor: ref, node: { __ref: ref } })),
      pageInfo: { startCursor: ids[0], hasPreviousPage: ids[0] !== 'a', endCursor: ids.at(-1), hasNextPage: more },
    });
    const after = { args: { after: 'cursor' } };
    const all = merge(merge(page('ab', true), page('cd', true), after), page('ef', false), after);
    const ends = { startCursor: 'a', hasPreviousPage: false, endCursor: 'f', hasNextPage: false };
    expect(all?.pageInfo).toEqual(ends);
    for (const args of [{ after: 'b' }, { before: 'e' }]) {
      const again = merge(all, page('cd', true), { args });
      expect(cursors(again)).toBe('abcdef');
      expect(again?.pageInfo).toEqual(ends);
    }
    const inserted = merge(all, page('cx', true), { args: { after: 'b' } });
    expect(cursors(inserted)).toBe('abcxdef');
    expect(inserted?.pageInfo).toEqual(ends);
  });
});

function cursors(page: Page | null): string {
  const edges = (page?.edges ?? []) as { cursor: string }[];
  return edges.map(({ cursor }) => cursor).join('');
}

describe('an object without identity', () => {
  it('is merged if its type is a singleton', () => {
    const cache = makeCache();
    const write = (fields: string, data: object) =>
      cache.writeQuery({
        query: gql(`{ instance { ${fields} } }`),
        data: { instance: { __typename: 'Instance', ...data } },
      });
    write('version', { version: '1' });
    write('sourceUrl', { sourceUrl: 'https://a.b' });
    expect(cache.readQuery({ query: gql('{ instance { version sourceUrl } }') })).toMatchObject({
      instance: { version: '1', sourceUrl: 'https://a.b' },
    });
  });

  it('is stored in its parent even if it has an `id`', () => {
    const cache = makeCache();
    const providers = [{ __typename: 'Provider', id: 'p', name: 'One' }];
    cache.writeQuery({
      query: gql('{ instance { providers { id name } } }'),
      data: { instance: { __typename: 'Instance', providers } },
    });
    expect(Object.keys(cache.extract())).toEqual(['ROOT_QUERY']);
  });
});

describe('policies for other schemas', () => {
  it('find loaded objects by id, and remember null', () => {
    const cache = new InMemoryCache({ typePolicies: { Query: { fields: { tour: lookupById('Tour') } } } });
    const query = gql('query ($id: ID!) { tour(id: $id) { id title } }');
    cache.writeFragment({
      fragment: gql('fragment T on Tour { id title }'),
      data: { __typename: 'Tour', id: 'a', title: 'Found' },
    });
    expect(cache.readQuery({ query, variables: { id: 'a' } })).toMatchObject({ tour: { title: 'Found' } });
    expect(cache.readQuery({ query, variables: { id: 'b' } })).toBeNull();
    cache.writeQuery({ query, variables: { id: 'b' }, data: { tour: null } });
    expect(cache.readQuery({ query, variables: { id: 'b' } })).toEqual({ tour: null });
  });

  it('convert custom scalars, also in lists', () => {
    const cache = new InMemoryCache();
    const fields = { Tour: { at: 'DateTime', days: 'Date' } } as const;
    cache.policies.addTypePolicies(scalarPolicies(fields, { DateTime: text => new Date(String(text)) }));
    const query = gql('{ tour { id at days } }');
    const tour = { __typename: 'Tour', id: 'a', at: ['2026-01-01T00:00:00.000Z', null], days: '2026-01-01' };
    cache.writeQuery({ query, data: { tour } });
    expect(cache.readQuery({ query })).toEqual({
      tour: { ...tour, at: [new Date('2026-01-01T00:00:00.000Z'), null] },
    });
  });
});
