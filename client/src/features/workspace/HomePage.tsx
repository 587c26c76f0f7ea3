import { Navigate } from '@tanstack/react-router';
import { useViewerQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/workspace';
import { paths } from '../../shared/lib/paths';
import { Loaded } from '../../shared/ui/Loaded';
import { AccountHeader } from './AccountHeader';
import { WorkspacesPage } from './WorkspacesPage';

/** Redirects to the only workspace. */
export function HomePage() {
  const result = useViewerQuery();
  // A rejected user must be able to sign out.
  const isFailed = result.error !== undefined && result.data === undefined;
  return (
    <>
      {isFailed ? <AccountHeader /> : null}
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
    </>
  );
}
