import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { TourOrder, ToursQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/tour';
import { formatAgo, formatCount, formatList, formatPercent } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { ROW_LINK, Table } from '../../shared/ui/Table';
import { isBroken } from '../workspace/broken-tours';
import { useWorkspace } from '../workspace/workspace-context';
import { BrokenBadge, ProblemCount, TourBadges } from './TourBadges';
import { sortDirection, sortedBy } from './tours-filter';

type Tour = ToursQuery['tours']['nodes'][number];

export function TourTable({
  tours,
  to,
  selected,
  onSelect,
}: {
  tours: readonly Tour[];
  /** The target of the rows. */
  to: typeof paths.tour | typeof paths.revisions;
  /** The ids of tours, which may include others. */
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}) {
  const { slug, sites } = useWorkspace();
  const now = useNow();
  const search = useSearch({ from: routeIds.tours });
  const navigate = useNavigate({ from: paths.tours });
  const sort = (order: TourOrder) => ({
    order: sortDirection(search, order),
    onSort: () => void navigate({ search: before => sortedBy(before, order), replace: true }),
  });
  const siteNames = (tour: Tour) =>
    sites.filter(site => tour.open.some(release => release.site.id === site.id)).map(site => site.name);
  return (
    <Table<Tour>
      caption={t.list.title}
      rows={tours}
      rowKey={tour => tour.id}
      linked
      selection={{ selected, nameOf: tour => tour.title, onChange: onSelect }}
      columns={[
        {
          title: t.list.columns.tour,
          sort: sort('TITLE'),
          cell: tour => (
            <>
              <Link
                to={to}
                params={{ workspace: slug, tour: tour.slug }}
                className={`block max-w-96 font-semibold break-words ${ROW_LINK}`}
              >
                {tour.title}
              </Link>
              <span className="block max-w-96 truncate text-sm font-normal text-muted">{tour.slug}</span>
              <span className="mt-1.5 flex flex-wrap gap-1.5 md:hidden">
                <Badges tour={tour} />
              </span>
            </>
          ),
        },
        {
          title: t.list.columns.status,
          secondary: true,
          cell: tour => (
            <span className="flex flex-wrap gap-1.5">
              <Badges tour={tour} />
            </span>
          ),
        },
        {
          title: t.list.columns.sites,
          secondary: true,
          cell: tour => <span className="line-clamp-2 max-w-44 text-sm">{formatList(siteNames(tour)) || '–'}</span>,
        },
        {
          title: t.list.columns.runs,
          align: 'right',
          sort: sort('RUNS'),
          cell: ({ activity }) => (activity.started === 0 ? '–' : formatCount(activity.started)),
        },
        {
          title: t.list.columns.completion,
          align: 'right',
          sort: sort('COMPLETION'),
          cell: ({ activity }) => (activity.completionRate === null ? '–' : formatPercent(activity.completionRate)),
        },
        {
          title: t.list.columns.changed,
          secondary: true,
          sort: sort('CHANGED'),
          cell: tour => (
            <span className="block text-sm whitespace-nowrap">
              {formatAgo(tour.updatedAt, now)}
              <span className="block max-w-36 truncate text-muted">{t.list.by(tour.draft.author.name)}</span>
            </span>
          ),
        },
      ]}
    />
  );
}

function Badges({ tour }: { tour: Tour }) {
  const { sites } = useWorkspace();
  return (
    <>
      {isBroken(tour, sites) ? <BrokenBadge /> : null}
      <ProblemCount problems={tour.draft.problems} />
      <TourBadges tour={tour} />
    </>
  );
}
