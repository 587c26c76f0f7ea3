/** How answers are kept: as the schema says, see `generated/cache.ts`. */
import { InMemoryCache, type ApolloCache } from '@apollo/client/cache';
import { possibleTypes, typePolicies } from '../../generated/cache';

export const makeCache = (): InMemoryCache => new InMemoryCache({ possibleTypes, typePolicies });

/** Forgets every answer of a root query, so that the screens that show it ask again. */
export function forget(cache: ApolloCache, field: keyof (typeof typePolicies)['Query']['fields']): void {
  cache.evict({ id: 'ROOT_QUERY', fieldName: field });
  cache.gc();
}
