/** Whose review the open revision has come back from. */
import type { ReviewState, RevisionState } from '../generated/operations';

interface Ended {
  readonly state: ReviewState;
  readonly by: { readonly id: string };
  readonly endedBy: { readonly id: string } | null;
}

/** The last review of a draft, where somebody else than who asked for it has returned it; `reviews` are the newest first. */
export function returnedReview<Review extends Ended>({
  state,
  reviews,
}: {
  readonly state: RevisionState;
  readonly reviews: readonly Review[];
}): Review | null {
  const [last] = reviews;
  return state === 'DRAFT' && last?.state === 'RETURNED' && last.endedBy && last.endedBy.id !== last.by.id ? last : null;
}
