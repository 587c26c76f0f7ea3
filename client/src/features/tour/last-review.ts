import type { ReviewState, RevisionState } from '../../generated/operations';

interface ReviewOutcome {
  readonly id: string;
  readonly state: ReviewState;
  readonly by: { readonly id: string };
  readonly endedBy: { readonly id: string } | null;
}

interface RevisionWithReviews<Review> {
  readonly state: RevisionState;
  readonly reviews: readonly Review[];
}

/** A revision's number (0 for an empty tour), or a review's id. */
export type Since = number | string;

/** True if a reviewer has returned the draft. An author withdraws it. */
const requestsChanges = ({ state, by, endedBy }: ReviewOutcome): boolean =>
  state === 'RETURNED' && endedBy !== null && endedBy.id !== by.id;

export function reviewRequestingChanges<Review extends ReviewOutcome>({
  state,
  reviews,
}: RevisionWithReviews<Review>): Review | null {
  const [last] = reviews;
  return state === 'DRAFT' && last && requestsChanges(last) ? last : null;
}

export function defaultSince({
  number,
  state,
  reviews,
}: RevisionWithReviews<ReviewOutcome> & { readonly number: number }): Since {
  const found = state === 'FROZEN' ? undefined : reviews.find(requestsChanges);
  return found?.id ?? Math.max(0, number - 1);
}
