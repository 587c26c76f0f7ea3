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

/** Returns the reason why the member may not use a root field. */
export function useReason(): (field: Guarded) => string | null {
  const { myRole } = useWorkspace();
  return field => reasonOf(can(field, myRole));
}

export const reasonOf = (permission: Permission): string | null => (permission.allowed ? null : permission.reason);

/** `undefined` while loading. */
export const useAccountId = (): string | undefined => useViewerQuery().data?.viewer.account.id;
