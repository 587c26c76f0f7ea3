/**
 * Starts a query before its screen is loaded, on hover and on entry. The document may be a promise, because only those
 * of the first screen are in the main bundle.
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
    // The server would reject it.
    if ((await authSession.token()) === null) return;
    await client.query<TData, OperationVariables>({ query, variables, fetchPolicy: 'network-only' });
  };
  // The screen shows errors.
  start().catch(() => undefined);
}

/** Screens of other workspaces load the workspace first. */
export const cachedWorkspaceId = (slug: string): string | undefined =>
  client.readQuery({ query: WorkspaceHome, variables: { slug } })?.workspace?.id;
