import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MutationSiteCreate } from '../../generated/fields';
import { useSitesQuery } from '../../generated/hooks';
import type { SiteCard_SiteFragment } from '../../generated/operations';
import { t as shell } from '../../shared/i18n/en/shell';
import { t } from '../../shared/i18n/en/site';
import { t as ui } from '../../shared/i18n/en/ui';
import { formatList } from '../../shared/i18n/format';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { useOpenedByLink } from '../../shared/lib/use-opened-by-link';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Icon } from '../../shared/ui/Icon';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { Page } from '../../shared/ui/Page';
import { BuiltIn } from '../workspace/BuiltIn';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { InstallStatus } from './InstallStatus';
import { SiteCreateDialog } from './SiteCreateDialog';

export function SitesPage() {
  usePageTitle(t.list.title);
  const { slug } = useWorkspace();
  const result = useSitesQuery({ variables: { slug } });
  const { new: isLinked = false } = useSearch({ from: routeIds.sites });
  const navigate = useNavigate({ from: paths.sites });
  const [creating, setCreating] = useOpenedByLink(isLinked, () => void navigate({ search: {}, replace: true }));
  const create = (
    <Button
      variant="primary"
      icon="plus"
      reason={useReason()(MutationSiteCreate)}
      data-tour="site-new"
      onClick={() => setCreating(true)}
    >
      {t.list.new}
    </Button>
  );
  return (
    <Page title={t.list.title} description={t.list.description} actions={create}>
      <Loaded result={result} label={t.list.loading}>
        {({ workspace }) =>
          !workspace ? <NotFound thing="workspace" /> : <SiteLists sites={workspace.sites} create={create} />
        }
      </Loaded>
      <SiteCreateDialog open={creating} onOpenChange={setCreating} />
    </Page>
  );
}

function SiteLists({ sites, create }: { sites: readonly SiteCard_SiteFragment[]; create: ReactNode }) {
  const { slug } = useWorkspace();
  const own = sites.filter(site => site.own);
  const others = sites.filter(site => !site.own);
  return (
    <div className="grid gap-6">
      {others.length === 0 ? (
        <EmptyState title={t.list.empty} action={create}>
          {t.list.emptyText}
        </EmptyState>
      ) : (
        <SiteList name={t.list.title} sites={others} workspace={slug} />
      )}
      {own.length > 0 ? (
        <BuiltIn>
          <SiteList name={ui.builtIn} sites={own} workspace={slug} />
        </BuiltIn>
      ) : null}
    </div>
  );
}

function SiteList({
  name,
  sites,
  workspace,
}: {
  name: string;
  sites: readonly SiteCard_SiteFragment[];
  workspace: string;
}) {
  return (
    <ul aria-label={name} className="grid gap-3 md:grid-cols-2">
      {sites.map(site => (
        <li key={site.id}>
          <Link
            to={paths.site}
            params={{ workspace, site: site.id }}
            className="flex items-center gap-4 rounded-card border border-line bg-surface p-5 shadow-card hover:border-edge"
          >
            <span className="grid min-w-0 grow gap-1.5">
              <span className="flex flex-wrap items-center gap-2">
                <span className="truncate text-lg font-semibold">{site.name}</span>
                {site.brokenTours.length > 0 ? (
                  <Badge tone="danger">{shell.frame.brokenTours(site.brokenTours.length)}</Badge>
                ) : null}
              </span>
              <span className="truncate text-sm text-muted">{formatList(site.origins)}</span>
              <span className="text-sm">
                <InstallStatus site={site} />
              </span>
            </span>
            <Icon name="right" className="size-4 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
