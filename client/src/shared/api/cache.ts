import { InMemoryCache, type ApolloCache } from '@apollo/client/cache';
import { possibleTypes, typePolicies } from '../../generated/cache';

export const makeCache = (): InMemoryCache => new InMemoryCache({ possibleTypes, typePolicies });

/** Screens fetch again. */
export function evictQuery(cache: ApolloCache, field: keyof (typeof typePolicies)['Query']['fields']): void {
  cache.evict({ id: 'ROOT_QUERY', fieldName: field });
  cache.gc();
}
