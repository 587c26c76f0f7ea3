/** Which tours of a workspace the list shows, as its address says. */
import type { TourStatus, ToursQueryVariables } from '../../generated/operations';
import { TourStatusValues } from '../../generated/rules';

/** The statuses of tours, and those whose draft is in review, whatever plays. */
export type ToursFilter = TourStatus | 'IN_REVIEW';

export interface ToursSearch {
  search?: string;
  status?: ToursFilter;
}

export const isToursFilter = (value: unknown): value is ToursFilter =>
  value === 'IN_REVIEW' || TourStatusValues.some(each => each === value);

/** The route asks for the same as the page, so that what is fetched early is what is shown. */
export const toursVariables = (workspaceId: string, { search, status }: ToursSearch) =>
  ({
    workspaceId,
    search: search ?? null,
    status: status === 'IN_REVIEW' ? null : (status ?? null),
    draftState: status === 'IN_REVIEW' ? status : null,
  }) satisfies ToursQueryVariables;
