/** Reviews that have come back, and what has changed since. */
import type { ReviewState, RevisionState } from '../../generated/operations';

interface ReviewOutcome {
  readonly id: string;
  readonly state: ReviewState;
  readonly by: { readonly id: string };
  readonly endedBy: { readonly id: string } | null;
}

/** A revision with its reviews, the newest first. */
interface RevisionWithReviews<Review> {
  readonly state: RevisionState;
  readonly reviews: readonly Review[];
}

/**
 * What a revision is compared with: another one by its number (0: an empty tour), or, by the id of a review, what was looked at
 * then.
 */
export type Since = number | string;

/** Whether somebody else than who asked for the review has returned it. */
const requestsChanges = ({ state, by, endedBy }: ReviewOutcome): boolean =>
  state === 'RETURNED' && endedBy !== null && endedBy.id !== by.id;

/** The last review of a draft, where somebody else than who asked for it has returned it. */
export function reviewRequestingChanges<Review extends ReviewOutcome>({
  state,
  reviews,
}: RevisionWithReviews<Review>): Review | null {
  const [last] = reviews;
  return state === 'DRAFT' && last && requestsChanges(last) ? last : null;
}

/** What people want to know first: what has changed since the revision was returned; of others, since the one before it. */
export function defaultSince({
  number,
  state,
  reviews,
}: RevisionWithReviews<ReviewOutcome> & { readonly number: number }): Since {
  const found = state === 'FROZEN' ? undefined : reviews.find(requestsChanges);
  return found?.id ?? Math.max(0, number - 1);
}
