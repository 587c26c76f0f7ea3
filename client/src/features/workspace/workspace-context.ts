/** The workspace of the address, for every screen below it. */
import { createContext, use } from 'react';
import { useViewerQuery } from '../../generated/hooks';
import type { WorkspaceHomeQuery } from '../../generated/operations';
import { can, type Guarded, type Permission } from '../../shared/api/permissions';

export type Workspace = NonNullable<WorkspaceHomeQuery['workspace']>;

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (!workspace) throw new Error('This screen belongs below WorkspaceShell.');
  return workspace;
}

/** The reason why the person may not call a root field in this workspace; null when they may. */
export function useReason(): (field: Guarded) => string | null {
  const { myRole } = useWorkspace();
  return field => reasonOf(can(field, myRole));
}

/** The reason of a refusal, for a button; null when there is none. */
export const reasonOf = (permission: Permission): string | null => (permission.allowed ? null : permission.reason);

/** The account that is signed in, as soon as it is known. */
export const useAccountId = (): string | undefined => useViewerQuery().data?.viewer.account.id;
