import type { ReviewCard_ReviewFragment as Review } from '../../generated/operations';
import { t } from '../../shared/i18n/en/review';
import { formatAgo } from '../../shared/i18n/format';

export const formatReviewRequest = ({ by, at }: Pick<Review, 'by' | 'at'>, now: number): string =>
  t.panel.requested(by.name, formatAgo(at, now));

/** Formats the outcome of a review; empty while it is pending. */
export function formatReviewEnd(
  { state, by, endedBy, endedAt }: Omit<Review, 'id' | 'at' | 'note' | 'answer'>,
  now: number,
): string {
  if (endedBy === null || endedAt === null) return '';
  const when = formatAgo(endedAt, now);
  if (state === 'RELEASED') return t.panel.released(endedBy.name, when);
  return endedBy.id === by.id ? t.panel.withdrawn(endedBy.name, when) : t.panel.returned(endedBy.name, when);
}

/** Formats the state of the newest review of a draft that is about to be released. */
export function formatLastReview(
  { number, reviews }: { readonly number: number; readonly reviews: readonly Omit<Review, 'id' | 'note' | 'answer'>[] },
  now: number,
): string {
  const [last] = reviews;
  if (!last) return t.beforeRelease.notRequested(number);
  return formatReviewEnd(last, now) || formatReviewRequest(last, now);
}
