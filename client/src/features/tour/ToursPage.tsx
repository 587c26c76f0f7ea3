import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { MutationTourCreate } from '../../generated/fields';
import { useToursQuery } from '../../generated/hooks';
import type { ToursQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/tour';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { useOpenedByLink } from '../../shared/lib/use-opened-by-link';
import { Button } from '../../shared/ui/Button';
import { useCommands } from '../../shared/ui/commands';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Page } from '../../shared/ui/Page';
import { SearchField } from '../../shared/ui/SearchField';
import { Segments } from '../../shared/ui/Segments';
import { showsFirstSteps } from '../workspace/first-steps';
import { SiteOptions } from '../workspace/SiteOptions';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { isFiltered, toursVariables, type ToursFilter } from './tours-filter';
import { TourTable } from './TourTable';

/** Only administrators of a new workspace see them. */
const FirstSteps = lazy(async () => ({ default: (await import('../workspace/FirstSteps')).FirstSteps }));

/** Few members have reviews. */
const WaitingReviews = lazy(async () => ({ default: (await import('./WaitingReviews')).WaitingReviews }));

/** Most visits create no tour. */
const TourCreateDialog = lazy(async () => ({ default: (await import('./TourCreateDialog')).TourCreateDialog }));

/** Loaded with the first selection. */
const TourSelection = lazy(async () => ({ default: (await import('./TourSelection')).TourSelection }));

const NOTHING: ReadonlySet<string> = new Set();

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
  const { search, status, site, new: isLinked = false } = filter;
  const navigate = useNavigate({ from: paths.tours });
  const [creating, setCreating] = useOpenedByLink(
    isLinked,
    () => void navigate({ search: ({ new: _, ...rest }) => rest, replace: true }),
  );
  const [selected, setSelected] = useState(NOTHING);
  const list = useRef<HTMLDivElement>(null);
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
  const filtered = isFiltered(filter);
  const ownSite = workspace.sites.find(each => each.own);
  const firstSteps = (tours: ToursQuery['tours']) =>
    showsFirstSteps(workspace, tours) ? (
      <Suspense fallback={null}>
        <FirstSteps tours={tours} />
      </Suspense>
    ) : null;
  const builtIn =
    ownSite && !filtered ? (
      <p className="text-sm text-muted">
        {t.list.builtIn}{' '}
        <Link
          to={paths.tours}
          params={{ workspace: workspace.slug }}
          search={{ site: ownSite.id }}
          className="underline underline-offset-2"
        >
          {t.list.showBuiltIn}
        </Link>
      </p>
    ) : null;
  return (
    <Page title={t.list.title} description={t.list.description} actions={create}>
      <Suspense fallback={null}>
        <WaitingReviews />
      </Suspense>
      <div className="flex flex-wrap items-center gap-3">
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
        <Select
          aria-label={t.list.columns.sites}
          value={site ?? ''}
          className="w-full sm:w-44"
          onChange={event => {
            const id = event.target.value;
            void navigate({ search: ({ site: _, ...rest }) => (id ? { ...rest, site: id } : rest) });
          }}
        >
          <option value="">{t.list.allSites}</option>
          <SiteOptions />
        </Select>
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
            <div ref={list} tabIndex={-1} className="grid gap-3 outline-none" aria-busy={result.loading}>
              {filtered ? null : firstSteps(tours)}
              <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
                <p role="status" className="text-sm text-muted">
                  {filtered ? t.list.found(tours.totalCount) : t.list.count(tours.totalCount)}. {t.list.days}
                </p>
                {tours.nodes.some(({ id }) => selected.has(id)) ? (
                  <Suspense fallback={null}>
                    <TourSelection
                      tours={tours.nodes.filter(({ id }) => selected.has(id))}
                      onClear={() => {
                        setSelected(NOTHING);
                        // The button with the focus goes.
                        list.current?.focus({ preventScroll: true });
                      }}
                    />
                  </Suspense>
                ) : null}
              </div>
              <TourTable
                tours={tours.nodes}
                to={status === 'IN_REVIEW' ? paths.revisions : paths.tour}
                selected={selected}
                onSelect={setSelected}
              />
              {tours.pageInfo.hasNextPage ? (
                <MoreButton onMore={() => result.fetchMore({ variables: { after: tours.pageInfo.endCursor } })} />
              ) : null}
              {builtIn}
            </div>
          ) : filtered ? (
            <EmptyState
              title={t.list.noMatch}
              action={<Button onClick={() => void navigate({ search: {} })}>{t.list.showAll}</Button>}
            >
              {search ? t.list.noMatchFor(search, status !== undefined || site !== undefined) : t.list.noneWithFilter}
            </EmptyState>
          ) : (
            <div className="grid gap-3">
              {firstSteps(tours)}
              <EmptyState title={t.list.empty}>{t.list.emptyText}</EmptyState>
              {builtIn}
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
