import type { TourOrder, TourStatus, ToursQueryVariables } from '../../generated/operations';
import { TourOrderValues, TourStatusValues } from '../../generated/rules';

export type ToursFilter = TourStatus | 'IN_REVIEW';

export interface ToursSearch {
  search?: string;
  status?: ToursFilter;
  /** The id of a site. */
  site?: string;
  sort?: TourOrder;
  reverse?: true;
  /** Opens the dialog for a new tour. */
  new?: true;
}

const PAGE_SIZE = 50;

const isToursFilter = (value: unknown): value is ToursFilter =>
  value === 'IN_REVIEW' || TourStatusValues.some(each => each === value);

export function readToursSearch(raw: Record<string, unknown>): ToursSearch {
  const search = typeof raw['search'] === 'string' ? raw['search'].slice(0, 80) : '';
  const sort = TourOrderValues.find(each => each === raw['sort'] && each !== 'CHANGED');
  return {
    ...(search ? { search } : {}),
    ...(isToursFilter(raw['status']) ? { status: raw['status'] } : {}),
    ...(typeof raw['site'] === 'string' && raw['site'] ? { site: raw['site'] } : {}),
    ...(sort ? { sort } : {}),
    ...(raw['reverse'] === true ? { reverse: true } : {}),
    ...(raw['new'] === true ? { new: true } : {}),
  };
}

export const isFiltered = ({ search, status, site }: ToursSearch): boolean =>
  search !== undefined || status !== undefined || site !== undefined;

/** Shared with the route loader, so that the prefetched query is reused. */
export const toursVariables = (workspaceId: string, { search, status, site, sort, reverse }: ToursSearch) =>
  ({
    workspaceId,
    search: search ?? null,
    status: status === 'IN_REVIEW' ? null : (status ?? null),
    draftState: status === 'IN_REVIEW' ? status : null,
    siteId: site ?? null,
    // The tours of Waypost's own site are found by their site and by a search.
    builtIn: search !== undefined || site !== undefined,
    order: sort ?? 'CHANGED',
    reverse: reverse ?? false,
    first: PAGE_SIZE,
  }) satisfies ToursQueryVariables;

/** Sorts by another key, or reverses the order. */
export function sortedBy({ sort: before = 'CHANGED', reverse, ...rest }: ToursSearch, order: TourOrder): ToursSearch {
  const reversed = order === before && !reverse;
  return { ...rest, ...(order === 'CHANGED' ? {} : { sort: order }), ...(reversed ? { reverse: true } : {}) };
}

/** Titles are sorted from A to Z unless reversed, all others from the largest or newest. */
export function sortDirection(
  { sort = 'CHANGED', reverse }: ToursSearch,
  order: TourOrder,
): 'ascending' | 'descending' | null {
  if (sort !== order) return null;
  return (order === 'TITLE') !== (reverse === true) ? 'ascending' : 'descending';
}
