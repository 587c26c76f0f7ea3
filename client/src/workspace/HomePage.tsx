import { Navigate } from '@tanstack/react-router';
import { useViewerQuery } from '../generated/hooks';
import { paths } from '../paths';
import { t } from '../texts/workspace';
import { Loaded } from '../ui/Loaded';
import { WorkspacesPage } from './WorkspacesPage';

/** The start: straight into the only workspace, or the choice between them. */
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
