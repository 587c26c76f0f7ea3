import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useVisitorsQuery } from '../../generated/hooks';
import type { VisitorRow_VisitorFragment } from '../../generated/operations';
import { t as segmentTexts } from '../../shared/i18n/en/segment';
import { t } from '../../shared/i18n/en/visitor';
import { formatAgo } from '../../shared/i18n/format';
import { useNow, usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { visitorName } from '../../shared/lib/visitor-name';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Page } from '../../shared/ui/Page';
import { SearchField } from '../../shared/ui/SearchField';
import { useWorkspace } from '../workspace/workspace-context';
import { defaultSite } from './defaults';
import { PurgeButton } from './PurgeButton';
import { TestUserBadge } from './TestUserBadge';

export function VisitorsPage() {
  usePageTitle(t.title);
  const { slug, sites } = useWorkspace();
  const { site: siteId, search } = useSearch({ from: routeIds.visitors });
  const navigate = useNavigate({ from: paths.visitors });
  const site = sites.find(each => each.id === siteId) ?? defaultSite(sites);
  if (!site) {
    return (
      <Page title={t.title} description={t.description}>
        <EmptyState
          title={t.noSites}
          action={
            <Link to={paths.sites} params={{ workspace: slug }} className={buttonStyle('primary')}>
              {t.addSite}
            </Link>
          }
        >
          {t.noSitesText}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t.title}
      description={t.description}
      actions={
        <>
          <Link to={paths.segments} params={{ workspace: slug }} className={buttonStyle('secondary')}>
            {segmentTexts.list.title}
          </Link>
          <PurgeButton siteId={site.id} />
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-3">
        <Select
          aria-label={t.site}
          value={site.id}
          className="w-full sm:w-56"
          onChange={event => void navigate({ search: { site: event.target.value }, replace: true })}
        >
          {sites.map(each => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </Select>
        <SearchField
          key={site.id}
          label={t.search}
          placeholder={t.searchPlaceholder}
          value={search ?? ''}
          onChange={next =>
            void navigate({ search: { site: site.id, ...(next ? { search: next } : {}) }, replace: true })
          }
        />
      </div>
      <VisitorResults
        site={site}
        search={search ?? null}
        onClear={() => void navigate({ search: { site: site.id }, replace: true })}
      />
    </Page>
  );
}

function VisitorResults({
  site,
  search,
  onClear,
}: {
  site: { id: string; name: string };
  search: string | null;
  onClear: () => void;
}) {
  const result = useVisitorsQuery({ variables: { siteId: site.id, search }, fetchPolicy: 'cache-and-network' });
  return (
    <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.loading}>
      {({ visitors }) =>
        visitors.nodes.length > 0 ? (
          <div className="grid gap-3" aria-busy={result.loading}>
            <VisitorList visitors={visitors.nodes} />
            {visitors.pageInfo.hasNextPage ? (
              <MoreButton onMore={() => result.fetchMore({ variables: { after: visitors.pageInfo.endCursor } })} />
            ) : null}
          </div>
        ) : search ? (
          <EmptyState title={t.noMatch(search, site.name)} action={<Button onClick={onClear}>{t.clear}</Button>}>
            {t.noMatchText}
          </EmptyState>
        ) : (
          <EmptyState title={t.empty}>{t.emptyText}</EmptyState>
        )
      }
    </Loaded>
  );
}

function VisitorList({ visitors }: { visitors: readonly VisitorRow_VisitorFragment[] }) {
  const { slug } = useWorkspace();
  const now = useNow();
  return (
    <ul aria-label={t.list} className="grid overflow-hidden rounded-card border border-line bg-surface shadow-card">
      {visitors.map(visitor => (
        <li key={visitor.id} className="border-b border-line last:border-b-0">
          <Link
            to={paths.visitor}
            params={{ workspace: slug, visitor: visitor.id }}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 hover:bg-sunken/60 focus-visible:-outline-offset-2"
          >
            <span className="min-w-0">
              <span className="block font-medium break-words">{visitorName(visitor)}</span>
              <span className="block text-sm text-muted">
                {t.lastSeen(formatAgo(visitor.lastSeenAt, now))}
                {visitor.locale ? ` · ${visitor.locale}` : ''}
              </span>
            </span>
            {visitor.verified ? <Badge tone="ok">{t.verified}</Badge> : null}
            <TestUserBadge tester={visitor.tester} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
