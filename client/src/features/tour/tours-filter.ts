import type { TourStatus, ToursQueryVariables } from '../../generated/operations';
import { TourStatusValues } from '../../generated/rules';

export type ToursFilter = TourStatus | 'IN_REVIEW';

export interface ToursSearch {
  search?: string;
  status?: ToursFilter;
  /** Opens the dialog for a new tour. */
  new?: true;
}

export const isToursFilter = (value: unknown): value is ToursFilter =>
  value === 'IN_REVIEW' || TourStatusValues.some(each => each === value);

/** Shared with the route loader, so that the prefetched query is reused. */
export const toursVariables = (workspaceId: string, { search, status }: ToursSearch) =>
  ({
    workspaceId,
    search: search ?? null,
    status: status === 'IN_REVIEW' ? null : (status ?? null),
    draftState: status === 'IN_REVIEW' ? status : null,
  }) satisfies ToursQueryVariables;
