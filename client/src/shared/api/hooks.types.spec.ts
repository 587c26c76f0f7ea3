/** Run by `npm run typecheck`. */
import type { ApolloClient } from '@apollo/client';
import { useReadQuery, createQueryPreloader } from '@apollo/client/react';
import { expectTypeOf, it } from 'vitest';
import { TourEditor } from '../../generated/documents/TourEditor';
import type { OperationErrors } from '../../generated/errors';
import { MutationTourRename } from '../../generated/fields';
import {
  useInstanceSuspenseQuery,
  useTourChangedSubscription,
  useTourCreateMutation,
  useTourEditorLazyQuery,
  useTourEditorQuery,
  useTourEditorSuspenseQuery,
  useToursQuery,
} from '../../generated/hooks';
import type { TourCreateMutation, TourEditorQuery, TourStatus } from '../../generated/operations';
import { ThemeInputRules, TourCreateInputRules } from '../../generated/rules';
import { checkArguments, checkInput } from '../../generated/traitql';
import { skipToken } from './apollo';
import { failedWith, type AppError } from './app-error';

const variables = { workspaceId: 'w', slug: 's' };

export function Queries() {
  const query = useTourEditorQuery({ variables });
  expectTypeOf(query.data).toEqualTypeOf<TourEditorQuery | undefined>();
  if (query.dataState === 'complete') expectTypeOf(query.data).toEqualTypeOf<TourEditorQuery>();
  // @ts-expect-error variables are required
  useTourEditorQuery({});
  // @ts-expect-error an unknown variable
  useTourEditorQuery({ variables: { ...variables, nope: 1 } });
  // @ts-expect-error a value that the enum does not have
  useToursQuery({ variables: { workspaceId: 'w', status: 'GONE' } });
  expectTypeOf<TourStatus>().toEqualTypeOf<'DRAFT' | 'LIVE' | 'PAUSED' | 'STOPPED' | 'ARCHIVED'>();
}

export function SuspenseQueries() {
  expectTypeOf(useTourEditorSuspenseQuery({ variables }).data).toEqualTypeOf<TourEditorQuery>();
  expectTypeOf(useTourEditorSuspenseQuery(skipToken).data).toEqualTypeOf<TourEditorQuery | undefined>();
  expectTypeOf(useInstanceSuspenseQuery().data.instance.version).toEqualTypeOf<string>();
  // @ts-expect-error variables are required
  useTourEditorSuspenseQuery();
}

export function LazyQueriesAndMutations() {
  const [load] = useTourEditorLazyQuery();
  void load({ variables });
  // @ts-expect-error variables are required
  void load();
  const [create, result] = useTourCreateMutation();
  expectTypeOf(result.data).toEqualTypeOf<TourCreateMutation | null | undefined>();
  void create({ variables: { input: { workspaceId: 'w', title: 'T', slug: 't' } } });
  // @ts-expect-error variables are required
  void create();
}

export function Subscriptions() {
  const { data } = useTourChangedSubscription({ variables: { id: 't' } });
  expectTypeOf(data?.tourChanged.status).toEqualTypeOf<TourStatus | undefined>();
}

export function PreloadedDocuments(client: ApolloClient) {
  const preload = createQueryPreloader(client);
  expectTypeOf(useReadQuery(preload(TourEditor, { variables })).data).toEqualTypeOf<TourEditorQuery>();
}

export function OperationErrorCodes(code: OperationErrors['ThemeDelete']): string {
  switch (code) {
    case 'THEME_IN_USE':
      return 'in use';
    case 'DEFAULT_THEME':
      return 'default';
    case 'NOT_FOUND':
      return 'gone';
    default:
      return code satisfies never;
  }
}

export function DeclaredErrorCodes(error: AppError) {
  failedWith<'TourCreate'>(error, 'SLUG_TAKEN');
  // @ts-expect-error a code that the operation does not declare
  failedWith<'TourCreate'>(error, 'THEME_IN_USE');
}

export function CheckedValues() {
  checkInput(TourCreateInputRules, { title: '', slug: 'a' });
  // @ts-expect-error a field that the input does not have
  checkInput(TourCreateInputRules, { titel: '' });
  // @ts-expect-error an argument that the field does not have
  checkArguments(MutationTourRename, { name: '' });
  expectTypeOf(ThemeInputRules.fields.overlayOpacity.range.max).toEqualTypeOf<1>();
}

it('compiles', () => {
  expectTypeOf(Queries).toBeFunction();
});
