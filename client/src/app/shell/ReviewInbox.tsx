import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { reviewsFor } from '../../features/workspace/waiting-reviews';
import { useAccountId, type Workspace } from '../../features/workspace/workspace-context';
import { useReviewsChangedSubscription } from '../../generated/hooks';
import { refetchScreen } from '../../shared/api/refetch-on-focus';
import { t } from '../../shared/i18n/en/shell';
import { formatAgo, formatCount } from '../../shared/i18n/format';
import { useNow, useVisible } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Icon } from '../../shared/ui/Icon';
import { Menu, MenuLabel, MenuLink } from '../../shared/ui/Menu';
import { toast } from '../../shared/ui/toast';
import { takeUnannounced } from './announced-reviews';

export function useReviewsForMe({ reviewsWaiting, myRole }: Workspace): Workspace['reviewsWaiting'] {
  return reviewsFor(reviewsWaiting, useAccountId(), myRole);
}

/** Updates the waiting reviews, and notifies the member of new requests. */
export function ReviewUpdates({ workspace }: { workspace: Workspace }) {
  const { id } = workspace;
  useReviewsChangedSubscription({
    variables: { workspaceId: id },
    skip: !useVisible(),
    onComplete: refetchScreen,
  });
  const reviews = useReviewsForMe(workspace);
  const accountId = useAccountId();
  useEffect(() => {
    if (accountId === undefined) return;
    for (const { by, tour } of takeUnannounced(accountId, id, reviews)) toast(t.inbox.arrived(by.name, tour.title));
  }, [accountId, id, reviews]);
  return null;
}

/** A menu with the reviews that wait for the member; empty without reviews. */
export function ReviewInbox({ workspace }: { workspace: Workspace }) {
  const reviews = useReviewsForMe(workspace);
  const now = useNow();
  if (reviews.length === 0) return null;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-3 rounded-control px-2.5 py-2 text-left font-medium hover:bg-surface/70"
        >
          <Icon name="review" />
          <span className="min-w-0 grow truncate">{t.inbox.title}</span>
          <Badge tone="brand">{formatCount(reviews.length)}</Badge>
        </button>
      }
    >
      <MenuLabel>{t.waiting.forYou}</MenuLabel>
      {reviews.map(({ id, tour, by, at }) => (
        <MenuLink key={id}>
          <Link to={paths.revisions} params={{ workspace: workspace.slug, tour: tour.slug }}>
            <span className="grid max-w-72 min-w-0">
              <span className="truncate font-medium">{tour.title}</span>
              <span className="text-sm wrap-anywhere text-muted">
                {t.waiting.requested(by.name, formatAgo(at, now))}
              </span>
            </span>
          </Link>
        </MenuLink>
      ))}
    </Menu>
  );
}
