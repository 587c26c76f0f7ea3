import { Link } from '@tanstack/react-router';
import { useReviewsWaitingQuery, useViewerQuery } from '../generated/hooks';
import type { ReviewsWaitingQuery } from '../generated/operations';
import { formatAgo } from '../lib/format';
import { useNow } from '../lib/now';
import { useVisible } from '../lib/visible';
import { paths } from '../paths';
import { t as common } from '../texts/common';
import { t } from '../texts/review';
import { Badge } from '../ui/Badge';
import { Panel } from '../ui/Card';
import { useWorkspace } from '../workspace/workspace-context';

type Waiting = ReviewsWaitingQuery['reviewsWaiting'][number];

/** How often the list asks anew while it is in front: a minute late is early enough for a review. */
const EVERY_MS = 60_000;

/** The reviews that wait in the workspace: those for somebody else's work, and the person's own. Nothing where none waits. */
export function WaitingReviews() {
  const { id } = useWorkspace();
  const account = useViewerQuery().data?.viewer.account.id;
  const result = useReviewsWaitingQuery({
    variables: { workspaceId: id },
    fetchPolicy: 'cache-and-network',
    pollInterval: useVisible() ? EVERY_MS : 0,
  });
  const waiting = result.data?.reviewsWaiting ?? [];
  if (waiting.length === 0 || account === undefined) return null;
  const isOwn = ({ by, revision }: Waiting) => by.id === account || revision.author.id === account;
  const groups = [
    { title: t.waiting.forYou, reviews: waiting.filter(each => !isOwn(each)) },
    { title: t.waiting.yours, reviews: waiting.filter(isOwn) },
  ];
  return (
    <Panel title={t.waiting.title}>
      <div className="grid gap-4">
        {groups.map(({ title, reviews }) =>
          reviews.length > 0 ? (
            <div key={title} className="grid gap-2">
              <h3 className="text-sm font-medium text-muted">{title}</h3>
              <ul aria-label={title} className="grid gap-1">
                {reviews.map(each => (
                  <Row key={each.id} review={each} />
                ))}
              </ul>
            </div>
          ) : null,
        )}
      </div>
    </Panel>
  );
}

function Row({ review: { tour, revision, by, at, note } }: { review: Waiting }) {
  const { slug: workspace } = useWorkspace();
  const now = useNow();
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
            {t.waiting.revision(revision.number)} · {t.waiting.asked(by.name, formatAgo(at, now))}
            {note ? ` · ${common.quoted(note)}` : ''}
          </span>
        </span>
        {revision.openComments > 0 ? <Badge tone="signal">{t.openComments(revision.openComments)}</Badge> : null}
      </Link>
    </li>
  );
}
