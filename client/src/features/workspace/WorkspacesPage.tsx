import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useViewerQuery } from '../../generated/hooks';
import type { ViewerQuery } from '../../generated/operations';
import { roleName } from '../../shared/api/permissions';
import { t } from '../../shared/i18n/en/workspace';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Icon } from '../../shared/ui/Icon';
import { Loaded } from '../../shared/ui/Loaded';
import { Page } from '../../shared/ui/Page';
import { AccountHeader } from './AccountHeader';
import { WorkspaceCreateDialog } from './WorkspaceCreateDialog';

export function WorkspacesPage() {
  usePageTitle(t.list.title);
  const result = useViewerQuery();
  const [creating, setCreating] = useState(false);
  const isEmpty = result.data?.viewer.memberships.length === 0;
  const create = (
    <Button
      variant="primary"
      icon="plus"
      reason={result.data?.viewer.mayCreateWorkspaces === false ? t.list.restricted : null}
      onClick={() => setCreating(true)}
    >
      {t.list.new}
    </Button>
  );
  return (
    <>
      <AccountHeader />
      <main>
        <Page title={t.list.title} description={t.list.description} actions={isEmpty ? null : create}>
          <Loaded result={result} label={t.list.loading}>
            {({ viewer }) =>
              viewer.memberships.length === 0 ? (
                <EmptyState title={t.list.empty} action={create}>
                  {t.list.emptyText(viewer.account.email ?? null)}
                </EmptyState>
              ) : (
                <Memberships memberships={viewer.memberships} />
              )
            }
          </Loaded>
        </Page>
      </main>
      <WorkspaceCreateDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

function Memberships({ memberships }: { memberships: ViewerQuery['viewer']['memberships'] }) {
  return (
    <ul aria-label={t.list.title} className="grid gap-3 sm:grid-cols-2">
      {memberships.map(({ id, role, workspace }) => (
        <li key={id}>
          <Link
            to={paths.tours}
            params={{ workspace: workspace.slug }}
            className="flex items-center gap-4 rounded-card border border-line bg-surface p-5 shadow-card hover:border-edge"
          >
            <span className="min-w-0 grow">
              <span className="block truncate text-lg font-semibold">{workspace.name}</span>
              <span className="block truncate text-sm text-muted">/w/{workspace.slug}</span>
            </span>
            <Badge tone="brand">{roleName(role)}</Badge>
            <Icon name="right" className="size-4 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
