import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useReviewsReturnedQuery } from '../../generated/hooks';
import type { ReviewRow_ReviewFragment } from '../../generated/operations';
import { t as common } from '../../shared/i18n/en/common';
import { t as review } from '../../shared/i18n/en/review';
import { t } from '../../shared/i18n/en/shell';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Panel } from '../../shared/ui/Card';
import { isOwnReview, reviewsFor } from '../workspace/waiting-reviews';
import { useAccountId, useWorkspace } from '../workspace/workspace-context';

type Row = ReviewRow_ReviewFragment;

/** Empty without reviews. */
export function WaitingReviews() {
  const { id, myRole, reviewsWaiting } = useWorkspace();
  const accountId = useAccountId();
  const { data, refetch } = useReviewsReturnedQuery({
    variables: { workspaceId: id },
    fetchPolicy: 'cache-and-network',
  });
  // A review that no longer waits may have been returned.
  const waitingIds = reviewsWaiting.map(each => each.id).join(' ');
  const loadedWith = useRef(waitingIds);
  useEffect(() => {
    if (loadedWith.current === waitingIds) return;
    loadedWith.current = waitingIds;
    refetch().catch(() => undefined);
  }, [waitingIds, refetch]);
  if (data === undefined || accountId === undefined) return null;
  const forYou = reviewsFor(reviewsWaiting, accountId, myRole);
  const isOwn = (review: Row) => isOwnReview(review, accountId);
  const groups = [
    { title: t.waiting.forYou, reviews: forYou },
    { title: t.waiting.returned, reviews: data.reviewsReturned },
    { title: t.waiting.yours, reviews: reviewsWaiting.filter(isOwn) },
    { title: t.waiting.forOthers, reviews: reviewsWaiting.filter(each => !forYou.includes(each) && !isOwn(each)) },
  ];
  if (groups.every(({ reviews }) => reviews.length === 0)) return null;
  return (
    <Panel title={t.waiting.title}>
      <div className="grid gap-4">
        {groups.map(({ title, reviews }) =>
          reviews.length > 0 ? (
            <div key={title} className="grid gap-2">
              <h3 className="text-sm font-medium text-muted">{title}</h3>
              <ul aria-label={title} className="grid gap-1">
                {reviews.map(each => (
                  <ReviewRow key={each.id} review={each} />
                ))}
              </ul>
            </div>
          ) : null,
        )}
      </div>
    </Panel>
  );
}

function ReviewRow({ review: { tour, revision, by, reviewer, at, note, endedBy, endedAt, answer } }: { review: Row }) {
  const { slug: workspace } = useWorkspace();
  const now = useNow();
  const when = formatAgo(at, now);
  const [text, quote] =
    endedBy && endedAt
      ? [t.waiting.returnedBy(endedBy.name, formatAgo(endedAt, now)), answer]
      : [reviewer ? t.waiting.requestedFrom(by.name, reviewer.name, when) : t.waiting.requested(by.name, when), note];
  return (
    <li>
      <Link
        to={paths.revisions}
        params={{ workspace, tour: tour.slug }}
        className="-mx-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control px-2 py-2 hover:bg-sunken/60"
      >
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{tour.title}</span>
          <span className="block text-sm wrap-anywhere text-muted">
            {t.waiting.revision(revision.number)} · {text}
            {quote ? ` · ${common.quoted(quote)}` : ''}
          </span>
        </span>
        {revision.openComments > 0 ? <Badge tone="signal">{review.openComments(revision.openComments)}</Badge> : null}
      </Link>
    </li>
  );
}
