/** Disables the button; the server enforces the same rules. */

import type { RevisionState } from '../../generated/operations';
import { t as errors } from '../../shared/i18n/en/errors';
import { useAccountId, useWorkspace } from '../workspace/workspace-context';

export interface Releasable {
  readonly hasUnreleasedChanges: boolean;
  readonly draft: { readonly state: RevisionState; readonly author: { readonly id: string } };
}

/** Allows a draft without changes: the server knows whether its released revision passed a review. */
export function reviewReason(requireReview: boolean, tour: Releasable, account: string | undefined): string | null {
  if (!requireReview) return null;
  if (tour.draft.state === 'DRAFT') return tour.hasUnreleasedChanges ? errors.sentence('REVIEW_REQUIRED', {}) : null;
  return tour.draft.author.id === account ? errors.sentence('REVISION_IS_YOURS', {}) : null;
}

export function useReviewReason(): (tour: Releasable) => string | null {
  const { requireReview } = useWorkspace();
  const account = useAccountId();
  return tour => reviewReason(requireReview, tour, account);
}
