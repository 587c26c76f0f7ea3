/** Selects the waiting reviews that a member can do. */
import { MutationTourRelease } from '../../generated/fields';
import type { ReviewRow_ReviewFragment as Review } from '../../generated/operations';
import { can, type RoleName } from '../../shared/api/permissions';

type Waiting = Pick<Review, 'by' | 'reviewer'> & { readonly revision: Pick<Review['revision'], 'author'> };

export const isOwnReview = ({ by, revision }: Waiting, accountId: string | undefined): boolean =>
  by.id === accountId || revision.author.id === accountId;

/** Returns the reviews that were requested from the member, or from any member who can approve them. */
export const reviewsFor = <Row extends Waiting>(
  reviews: readonly Row[],
  accountId: string | undefined,
  role: RoleName,
): Row[] =>
  reviews.filter(each =>
    each.reviewer
      ? each.reviewer.id === accountId
      : can(MutationTourRelease, role).allowed && !isOwnReview(each, accountId),
  );
