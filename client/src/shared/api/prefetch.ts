/**
 * Starts a query before its screen is there: route loaders call it on hover and on entry, and nobody waits for it. The
 * document may be on its way itself: only those of the first screen are loaded with the application.
 */
import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { WorkspaceHome } from '../../generated/documents/WorkspaceHome';
import { authSession } from './auth-session';
import { client } from './client';

export function prefetch<TData, TVariables extends OperationVariables>(
  document: TypedDocumentNode<TData, TVariables> | Promise<TypedDocumentNode<TData, TVariables>>,
  variables: TVariables,
): void {
  const start = async () => {
    const query = await document;
    // Before somebody has signed in, the only answer would be that they should.
    if ((await authSession.token()) === null) return;
    await client.query<TData, OperationVariables>({ query, variables, fetchPolicy: 'network-only' });
  };
  // The screen runs the same query and shows its failure; here a failure has nobody to tell.
  start().catch(() => undefined);
}

/** The id of a workspace that has been visited already; screens of others wait for their workspace first. */
export const knownWorkspaceId = (slug: string): string | undefined =>
  client.readQuery({ query: WorkspaceHome, variables: { slug } })?.workspace?.id;
