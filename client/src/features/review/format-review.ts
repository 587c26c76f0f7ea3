import type { ReviewCard_ReviewFragment as Review } from '../../generated/operations';
import { t } from '../../shared/i18n/en/review';
import { formatAgo } from '../../shared/i18n/format';

export function formatReviewRequest({ by, reviewer, at }: Pick<Review, 'by' | 'reviewer' | 'at'>, now: number): string {
  const when = formatAgo(at, now);
  return reviewer ? t.panel.requestedFrom(by.name, reviewer.name, when) : t.panel.requested(by.name, when);
}

/** Formats the outcome of a review; empty while it is pending. */
export function formatReviewEnd(
  { state, by, endedBy, endedAt }: Pick<Review, 'state' | 'by' | 'endedBy' | 'endedAt'>,
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
