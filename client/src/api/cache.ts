/** How answers are kept. Types with an `id` are kept once; types without one live inside their parent. */
import { InMemoryCache, type ApolloCache, type FieldPolicy } from '@apollo/client/cache';
import possibleTypes from '../generated/possible-types';
import { argumentRules } from '../generated/rules';

interface Connection {
  readonly nodes: readonly unknown[];
}

export const makeCache = (): InMemoryCache =>
  new InMemoryCache({
    possibleTypes: possibleTypes.possibleTypes,
    typePolicies: {
      Query: {
        fields: {
          tours: pages('tours'),
          audit: pages('audit'),
          runs: pages('runs'),
          tour: { read: (_, { args, toReference }) => toReference({ __typename: 'Tour', id: args?.['id'] }) },
          theme: { read: (_, { args, toReference }) => toReference({ __typename: 'Theme', id: args?.['id'] }) },
          site: { read: (_, { args, toReference }) => toReference({ __typename: 'Site', id: args?.['id'] }) },
          viewer: { merge: true },
        },
      },
      Viewer: { fields: { memberships: replaced } },
      Workspace: { fields: { sites: replaced, themes: replaced, members: replaced } },
      Tour: {
        fields: { releases: { keyArgs: ['siteId'], merge: false }, revisions: { keyArgs: false, merge: appended } },
      },
      Revision: { fields: { steps: replaced, problems: replaced, start: replaced } },
    },
  });

const replaced: FieldPolicy = { merge: false };

/** A Relay-style list: the next page is appended, a first page replaces what was there. */
function pages(field: keyof typeof argumentRules): FieldPolicy {
  const keyArgs = Object.keys(argumentRules[field]).filter(name => name !== 'first' && name !== 'after');
  return { keyArgs, merge: appended };
}

function appended(
  existing: Connection | undefined,
  incoming: Connection,
  { args }: { args: Record<string, unknown> | null },
): Connection {
  if (!existing || !args?.['after']) return incoming;
  return { ...incoming, nodes: [...existing.nodes, ...incoming.nodes] };
}

/** Forgets every answer of a root query, so that the screens that show it ask again. */
export function forget(cache: ApolloCache, field: keyof typeof argumentRules): void {
  cache.evict({ id: 'ROOT_QUERY', fieldName: field });
  cache.gc();
}
