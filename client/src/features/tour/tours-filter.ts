/** The filter of the tour list, as stored in the URL. */

import type { TourStatus, ToursQueryVariables } from '../../generated/operations';
import { TourStatusValues } from '../../generated/rules';

/** A tour status, or `IN_REVIEW` for tours whose draft is in review, independent of their status. */
export type ToursFilter = TourStatus | 'IN_REVIEW';

export interface ToursSearch {
  search?: string;
  status?: ToursFilter;
}

export const isToursFilter = (value: unknown): value is ToursFilter =>
  value === 'IN_REVIEW' || TourStatusValues.some(each => each === value);

/** Query variables for a filter. The route loader and the page share them, so that the prefetched query is reused. */
export const toursVariables = (workspaceId: string, { search, status }: ToursSearch) =>
  ({
    workspaceId,
    search: search ?? null,
    status: status === 'IN_REVIEW' ? null : (status ?? null),
    draftState: status === 'IN_REVIEW' ? status : null,
  }) satisfies ToursQueryVariables;
