import { createContext, use } from 'react';
import { useViewerQuery } from '../../generated/hooks';
import type { WorkspaceHomeQuery } from '../../generated/operations';
import { can, type Guarded, type Permission } from '../../shared/api/permissions';

export type Workspace = NonNullable<WorkspaceHomeQuery['workspace']>;

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (!workspace) throw new Error('`useWorkspace` must be called in a component below `WorkspaceShell`.');
  return workspace;
}

/** Returns a function that returns the reason why the member may not use a root field, or null if they may. */
export function useReason(): (field: Guarded) => string | null {
  const { myRole } = useWorkspace();
  return field => reasonOf(can(field, myRole));
}

/** Returns the reason of a denied permission, for a button, or null if it is allowed. */
export const reasonOf = (permission: Permission): string | null => (permission.allowed ? null : permission.reason);

/** Returns the id of the signed-in account, or undefined while it is loading. */
export const useAccountId = (): string | undefined => useViewerQuery().data?.viewer.account.id;
