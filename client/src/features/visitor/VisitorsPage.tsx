import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { MutationVisitorsErase } from '../../generated/fields';
import { useSegmentsQuery, useVisitorMatchesQuery, useVisitorsQuery } from '../../generated/hooks';
import type { VisitorsQuery } from '../../generated/operations';
import { t as segmentTexts } from '../../shared/i18n/en/segment';
import { t } from '../../shared/i18n/en/visitor';
import { formatAgo, formatCount } from '../../shared/i18n/format';
import { useNow, usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { visitorName } from '../../shared/lib/visitor-name';
import { Badge } from '../../shared/ui/Badge';
import { Button, IconButton } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { Menu, MenuItem } from '../../shared/ui/Menu';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Page } from '../../shared/ui/Page';
import { SearchField } from '../../shared/ui/SearchField';
import { ROW_LINK, Table } from '../../shared/ui/Table';
import { SiteOptions } from '../workspace/SiteOptions';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { defaultSite } from './defaults';
import { formatMatches } from './format-matches';
import { TestUserBadge } from './TestUserBadge';
import { TraitList } from './TraitList';

/** Few sites have fake visitors. */
const PurgeDialog = lazy(async () => ({ default: (await import('./PurgeDialog')).PurgeDialog }));

type Visitor = VisitorsQuery['visitors']['nodes'][number];

export function VisitorsPage() {
  usePageTitle(t.title);
  const { slug, sites } = useWorkspace();
  const { site: siteId, search, segment } = useSearch({ from: routeIds.visitors });
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
    <Page title={t.title} description={t.description} actions={<VisitorsMenu siteId={site.id} />}>
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          key={site.id}
          label={t.search}
          placeholder={t.searchPlaceholder}
          value={search ?? ''}
          onChange={next =>
            void navigate({
              search: ({ search: _, ...rest }) => ({ ...rest, site: site.id, ...(next ? { search: next } : {}) }),
              replace: true,
            })
          }
        />
        <Select
          aria-label={t.site}
          value={site.id}
          className="w-full sm:w-48"
          onChange={event => {
            const id = event.target.value;
            void navigate({ search: ({ search: _, ...rest }) => ({ ...rest, site: id }), replace: true });
          }}
        >
          <SiteOptions />
        </Select>
        <SegmentSelect
          value={segment ?? ''}
          onChange={id =>
            void navigate({
              search: ({ segment: _, ...rest }) => ({ ...rest, site: site.id, ...(id ? { segment: id } : {}) }),
              replace: true,
            })
          }
        />
      </div>
      <VisitorResults
        site={site}
        search={search ?? null}
        segmentId={segment ?? null}
        onClear={() =>
          void navigate({
            search: ({ search: _search, segment: _segment, ...rest }) => ({ ...rest, site: site.id }),
            replace: true,
          })
        }
      />
    </Page>
  );
}

function VisitorsMenu({ siteId }: { siteId: string }) {
  const reason = useReason()(MutationVisitorsErase);
  const [purging, setPurging] = useState(false);
  return (
    <>
      <Menu trigger={<IconButton label={t.more} icon="more" />}>
        <MenuItem icon="trash" danger reason={reason} onSelect={() => setPurging(true)}>
          {t.purge.open}
        </MenuItem>
      </Menu>
      {purging ? (
        <Suspense fallback={null}>
          <PurgeDialog siteId={siteId} onClose={() => setPurging(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function SegmentSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { slug } = useWorkspace();
  const segments = useSegmentsQuery({ variables: { slug } }).data?.workspace?.segments ?? [];
  if (segments.length === 0) return null;
  return (
    <Select
      aria-label={t.segment}
      value={segments.some(({ id }) => id === value) ? value : ''}
      className="w-full sm:w-48"
      onChange={event => onChange(event.target.value)}
    >
      <option value="">{t.everyone}</option>
      {segments.map(segment => (
        <option key={segment.id} value={segment.id}>
          {segment.name}
        </option>
      ))}
    </Select>
  );
}

function VisitorResults({
  site,
  search,
  segmentId,
  onClear,
}: {
  site: { id: string; name: string };
  search: string | null;
  segmentId: string | null;
  onClear: () => void;
}) {
  const result = useVisitorsQuery({
    variables: { siteId: site.id, search, segmentId },
    fetchPolicy: 'cache-and-network',
  });
  return (
    <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.loading}>
      {({ visitors }) =>
        visitors.nodes.length > 0 ? (
          <div className="grid gap-3" aria-busy={result.loading}>
            {search === null ? <VisitorCount siteId={site.id} segmentId={segmentId} /> : null}
            <VisitorTable visitors={visitors.nodes} />
            {visitors.pageInfo.hasNextPage ? (
              <MoreButton onMore={() => result.fetchMore({ variables: { after: visitors.pageInfo.endCursor } })} />
            ) : null}
          </div>
        ) : search ? (
          <EmptyState title={t.noMatch(search, site.name)} action={<Button onClick={onClear}>{t.clear}</Button>}>
            {t.noMatchText}
          </EmptyState>
        ) : segmentId ? (
          <EmptyState title={t.noneInSegment(site.name)} action={<Button onClick={onClear}>{t.clear}</Button>}>
            {t.noneInSegmentText}
          </EmptyState>
        ) : (
          <EmptyState title={t.empty}>{t.emptyText}</EmptyState>
        )
      }
    </Loaded>
  );
}

function VisitorCount({ siteId, segmentId }: { siteId: string; segmentId: string | null }) {
  const { data } = useVisitorMatchesQuery({
    variables: { siteId, when: segmentId === null ? null : { segment: segmentId } },
    fetchPolicy: 'cache-and-network',
  });
  const count = data?.visitorMatches;
  return (
    <p role="status" className="min-h-5 text-sm text-muted">
      {count
        ? segmentId === null
          ? t.count(count.visitors, count.isPartial)
          : formatMatches(count)
        : segmentTexts.matches.loading}
    </p>
  );
}

function VisitorTable({ visitors }: { visitors: readonly Visitor[] }) {
  const { slug } = useWorkspace();
  const { tour } = useSearch({ from: routeIds.visitors });
  const now = useNow();
  return (
    <Table<Visitor>
      caption={t.list}
      rows={visitors}
      rowKey={visitor => visitor.id}
      linked
      columns={[
        {
          title: t.columns.visitor,
          cell: visitor => (
            <>
              <span className="flex flex-wrap items-center gap-2">
                <Link
                  to={paths.visitor}
                  params={{ workspace: slug, visitor: visitor.id }}
                  search={tour === undefined ? {} : { tour }}
                  className={`max-w-72 break-words ${ROW_LINK}`}
                >
                  {visitorName(visitor)}
                </Link>
                {visitor.verified ? <Badge tone="ok">{t.verified}</Badge> : null}
                <TestUserBadge tester={visitor.tester} />
              </span>
              {visitor.locale ? <span className="block text-sm font-normal text-muted">{visitor.locale}</span> : null}
            </>
          ),
        },
        ...(visitors.some(({ traits }) => traits.length > 0)
          ? [{ title: t.traits, secondary: true, cell: (visitor: Visitor) => <TraitList traits={visitor.traits} /> }]
          : []),
        {
          title: t.columns.tours,
          align: 'right',
          cell: visitor => (visitor.tourCount === 0 ? '–' : formatCount(visitor.tourCount)),
        },
        {
          title: t.columns.lastTour,
          secondary: true,
          cell: visitor => <LastTour visitor={visitor} />,
        },
        {
          title: t.columns.lastSeen,
          align: 'right',
          cell: visitor => <span className="text-sm">{formatAgo(visitor.lastSeenAt, now)}</span>,
        },
      ]}
    />
  );
}

function LastTour({ visitor }: { visitor: Visitor }) {
  const [run] = visitor.runs.nodes;
  if (!run) return '–';
  return (
    <span className="block max-w-56 text-sm">
      <span className="block truncate">{run.tour.title}</span>
      <span className="text-muted">{t.states[run.state] ?? run.state}</span>
    </span>
  );
}
