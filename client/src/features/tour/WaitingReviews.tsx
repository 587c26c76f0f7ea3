import { Link } from '@tanstack/react-router';
import { useReviewsWaitingQuery } from '../../generated/hooks';
import type { ReviewRow_ReviewFragment } from '../../generated/operations';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/review';
import { formatAgo } from '../../shared/i18n/format';
import { useNow, useVisible } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Panel } from '../../shared/ui/Card';
import { useAccountId, useWorkspace } from '../workspace/workspace-context';

type Row = ReviewRow_ReviewFragment;

/** While the page is visible. Reviews are not urgent. */
const POLL_INTERVAL_MS = 60_000;

/** Empty without reviews. */
export function WaitingReviews() {
  const { id } = useWorkspace();
  const accountId = useAccountId();
  const result = useReviewsWaitingQuery({
    variables: { workspaceId: id },
    fetchPolicy: 'cache-and-network',
    pollInterval: useVisible() ? POLL_INTERVAL_MS : 0,
  });
  if (result.data === undefined || accountId === undefined) return null;
  const { reviewsWaiting, reviewsReturned } = result.data;
  const isOwn = ({ by, revision }: Row) => by.id === accountId || revision.author.id === accountId;
  const groups = [
    { title: t.waiting.forYou, reviews: reviewsWaiting.filter(each => !isOwn(each)) },
    { title: t.waiting.returned, reviews: reviewsReturned },
    { title: t.waiting.yours, reviews: reviewsWaiting.filter(isOwn) },
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

function ReviewRow({ review: { tour, revision, by, at, note, endedBy, endedAt, answer } }: { review: Row }) {
  const { slug: workspace } = useWorkspace();
  const now = useNow();
  const [text, quote] =
    endedBy && endedAt
      ? [t.waiting.returnedBy(endedBy.name, formatAgo(endedAt, now)), answer]
      : [t.waiting.requested(by.name, formatAgo(at, now)), note];
  return (
    <li>
      <Link
        to={paths.revisions}
        params={{ workspace, tour: tour.slug }}
        className="-mx-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control px-2 py-2 hover:bg-sunken/60"
      >
        <span className="min-w-0">
          <span className="block font-medium break-words">{tour.title}</span>
          <span className="block text-sm break-words text-muted">
            {t.waiting.revision(revision.number)} · {text}
            {quote ? ` · ${common.quoted(quote)}` : ''}
          </span>
        </span>
        {revision.openComments > 0 ? <Badge tone="signal">{t.openComments(revision.openComments)}</Badge> : null}
      </Link>
    </li>
  );
}
