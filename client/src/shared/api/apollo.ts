/**
 * The generated hooks import Apollo Client from this module (codegen.yml: `apolloReactHooksImportFrom`), which maps
 * the type names of version 3 to those of version 4.
 */
import type { DocumentNode, OperationVariables, TypedDocumentNode } from '@apollo/client';
import {
  useSuspenseQuery as apolloUseSuspenseQuery,
  type SkipToken,
  type useLazyQuery,
  type useMutation,
  type useQuery,
} from '@apollo/client/react';
import type * as Apollo from '@apollo/client/react';

export { skipToken, useFragment, useLazyQuery, useMutation, useQuery, useSubscription } from '@apollo/client/react';
export type { SkipToken } from '@apollo/client/react';

type Variables = OperationVariables;

export type QueryHookOptions<TData, TVariables extends Variables> = useQuery.Options<TData, TVariables>;
export type QueryResult<TData, TVariables extends Variables> = useQuery.Result<TData, TVariables>;
export type LazyQueryHookOptions<TData, TVariables extends Variables> = useLazyQuery.Options<TData, TVariables>;
export type MutationHookOptions<TData, TVariables extends Variables> = useMutation.Options<TData, TVariables>;
export type BaseMutationOptions<TData, TVariables extends Variables> = useMutation.Options<TData, TVariables>;
export type MutationResult<TData> = useMutation.Result<TData>;
export type MutationFunction<TData, TVariables extends Variables> = useMutation.MutationFunction<TData, TVariables>;
export type SubscriptionHookOptions<TData, TVariables extends Variables> = Apollo.useSubscription.Options<
  TData,
  TVariables
>;
export type SubscriptionResult<TData> = Apollo.useSubscription.Result<TData>;

/** Suspense hooks never return partial data, and throw errors. */
export type SuspenseQueryHookOptions<_TData, TVariables extends Variables> = Omit<
  Apollo.useSuspenseQuery.Base.Options<TVariables>,
  'returnPartialData' | 'errorPolicy' | 'skip' | 'variables'
> &
  Pick<Apollo.useSuspenseQuery.Options<TVariables>, 'variables'>;

/** `TData | undefined` if it may be skipped. */
export type UseSuspenseQueryResult<TData, TVariables extends Variables> = undefined extends TData
  ? Apollo.useSuspenseQuery.Result<NonNullable<TData>, TVariables, 'complete' | 'streaming' | 'empty'>
  : Apollo.useSuspenseQuery.Result<TData, TVariables, 'complete' | 'streaming'>;

type SuspenseOptions<TVariables extends Variables> = Omit<
  Apollo.useSuspenseQuery.Base.Options<TVariables>,
  'variables'
> & { variables?: TVariables };

export function useSuspenseQuery<TData, TVariables extends Variables>(
  query: DocumentNode | TypedDocumentNode<TData, TVariables>,
  options?: SkipToken | SuspenseOptions<TVariables>,
): UseSuspenseQueryResult<TData | undefined, TVariables> {
  // The plugin declares `variables` as optional.
  const run = apolloUseSuspenseQuery as (query: DocumentNode, options: unknown) => unknown;
  return run(query, options ?? {}) as UseSuspenseQueryResult<TData | undefined, TVariables>;
}
