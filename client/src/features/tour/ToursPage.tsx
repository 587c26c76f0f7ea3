import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { MutationTourCreate } from '../../generated/fields';
import { useToursQuery } from '../../generated/hooks';
import type { ToursQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/tour';
import { formatAgo } from '../../shared/i18n/format';
import { useNow, usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { useOpenedByLink } from '../../shared/lib/use-opened-by-link';
import { Button } from '../../shared/ui/Button';
import { useCommands } from '../../shared/ui/commands';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Page } from '../../shared/ui/Page';
import { SearchField } from '../../shared/ui/SearchField';
import { Segments } from '../../shared/ui/Segments';
import { isBroken } from '../workspace/broken-tours';
import { showsFirstSteps } from '../workspace/first-steps';
import { FirstSteps } from '../workspace/FirstSteps';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { BrokenBadge, ProblemCount, TourBadges } from './TourBadges';
import { toursVariables, type ToursFilter } from './tours-filter';

/** Few members have reviews. */
const WaitingReviews = lazy(async () => ({ default: (await import('./WaitingReviews')).WaitingReviews }));

/** Most visits create no tour. */
const TourCreateDialog = lazy(async () => ({ default: (await import('./TourCreateDialog')).TourCreateDialog }));

type Filter = ToursFilter | 'ALL';

const filters = [
  'ALL',
  'LIVE',
  'PAUSED',
  'STOPPED',
  'DRAFT',
  'IN_REVIEW',
  'ARCHIVED',
] as const satisfies readonly Filter[];

export function ToursPage() {
  usePageTitle(t.list.title);
  const workspace = useWorkspace();
  const filter = useSearch({ from: routeIds.tours });
  const { search, status, new: isLinked = false } = filter;
  const navigate = useNavigate({ from: paths.tours });
  const [creating, setCreating] = useOpenedByLink(
    isLinked,
    () => void navigate({ search: ({ new: _, ...rest }) => rest, replace: true }),
  );
  const result = useToursQuery({ variables: toursVariables(workspace.id, filter) });
  // While the next one loads.
  const data = result.data ?? result.previousData;
  const reason = useReason()(MutationTourCreate);
  const create = (
    <span data-tour={data && !showsFirstSteps(workspace, data.tours) ? 'start-here' : undefined}>
      <Button variant="primary" icon="plus" reason={reason} data-tour="tour-new" onClick={() => setCreating(true)}>
        {t.list.new}
      </Button>
    </span>
  );
  useCommands([
    { id: 'tours.new', name: t.list.new, group: t.list.title, icon: 'plus', reason, run: () => setCreating(true) },
  ]);
  const filtered = search !== undefined || status !== undefined;
  return (
    <Page title={t.list.title} description={t.list.description} actions={create}>
      <Suspense fallback={null}>
        <WaitingReviews />
      </Suspense>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField
          key={workspace.id}
          label={t.list.search}
          placeholder={t.list.searchHint}
          value={search ?? ''}
          onChange={next =>
            void navigate({
              search: ({ search: _, ...rest }) => (next ? { ...rest, search: next } : rest),
              replace: true,
            })
          }
        />
        <Segments<Filter>
          label={t.list.status}
          value={status ?? 'ALL'}
          choices={filters.map(value => ({ value, label: t.filters[value] }))}
          onChange={next =>
            void navigate({ search: ({ status: _, ...rest }) => (next === 'ALL' ? rest : { ...rest, status: next }) })
          }
        />
      </div>
      <Loaded result={{ ...result, data }} label={t.list.loading}>
        {({ tours }) =>
          tours.nodes.length > 0 ? (
            <div className="grid gap-3" aria-busy={result.loading}>
              {filtered ? null : <FirstSteps tours={tours} />}
              <p role="status" className="text-sm text-muted">
                {filtered ? t.list.found(tours.totalCount) : t.list.count(tours.totalCount)}
              </p>
              <TourList tours={tours.nodes} to={status === 'IN_REVIEW' ? paths.revisions : paths.tour} />
              {tours.pageInfo.hasNextPage ? (
                <MoreButton onMore={() => result.fetchMore({ variables: { after: tours.pageInfo.endCursor } })} />
              ) : null}
            </div>
          ) : filtered ? (
            <EmptyState
              title={t.list.noMatch}
              action={<Button onClick={() => void navigate({ search: {} })}>{t.list.showAll}</Button>}
            >
              {search ? (status ? t.list.noneOfStatus(search) : t.list.noMatchFor(search)) : t.list.noneWithStatus}
            </EmptyState>
          ) : (
            <div className="grid gap-3">
              <FirstSteps tours={tours} />
              <EmptyState title={t.list.empty}>{t.list.emptyText}</EmptyState>
            </div>
          )
        }
      </Loaded>
      {creating ? (
        <Suspense fallback={null}>
          <TourCreateDialog open onOpenChange={setCreating} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** `to`: target of the rows. */
function TourList({
  tours,
  to,
}: {
  tours: ToursQuery['tours']['nodes'];
  to: typeof paths.tour | typeof paths.revisions;
}) {
  const { slug, sites } = useWorkspace();
  const now = useNow();
  return (
    <ul
      aria-label={t.list.title}
      className="grid overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      {tours.map(tour => (
        <li key={tour.id} className="border-b border-line last:border-b-0">
          <Link
            to={to}
            params={{ workspace: slug, tour: tour.slug }}
            className="grid items-center gap-x-4 gap-y-2 px-5 py-4 sm:grid-cols-[minmax(0,1fr)_auto] hover:bg-sunken/60 focus-visible:-outline-offset-2"
          >
            <span className="min-w-0">
              <span className="block truncate font-semibold">{tour.title}</span>
              <span className="block text-sm text-muted">
                {t.list.line(tour.slug, tour.draft.author.name, formatAgo(tour.updatedAt, now))}
              </span>
            </span>
            <span className="flex flex-wrap items-center gap-1.5 sm:justify-end">
              {isBroken(tour, sites) ? <BrokenBadge /> : null}
              <ProblemCount problems={tour.draft.problems} />
              <TourBadges tour={tour} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
