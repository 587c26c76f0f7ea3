import { Navigate } from '@tanstack/react-router';
import { useViewerQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/workspace';
import { paths } from '../../shared/lib/paths';
import { Loaded } from '../../shared/ui/Loaded';
import { WorkspacesPage } from './WorkspacesPage';

/** The home page: redirects to the only workspace, or lists the workspaces. */
export function HomePage() {
  const result = useViewerQuery();
  return (
    <Loaded result={result} label={t.list.loading} page>
      {({ viewer }) => {
        const [only, ...others] = viewer.memberships;
        return only && others.length === 0 ? (
          <Navigate to={paths.tours} params={{ workspace: only.workspace.slug }} replace />
        ) : (
          <WorkspacesPage />
        );
      }}
    </Loaded>
  );
}
