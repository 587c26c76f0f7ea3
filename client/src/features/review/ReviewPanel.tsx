import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { MutationRevisionReturn, MutationTourRelease } from '../../generated/fields';
import type { ReviewCard_ReviewFragment } from '../../generated/operations';
import { canFrom } from '../../shared/api/permissions';
import { t as common } from '../../shared/i18n/en/common';
import { t as errors } from '../../shared/i18n/en/errors';
import { t } from '../../shared/i18n/en/review';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { Panel } from '../../shared/ui/Card';
import { Icon } from '../../shared/ui/Icon';
import { reviewRequestingChanges } from '../tour/last-review';
import { formatOlderLive, formatDraftState, type SiteRelease } from '../tour/live-revision';
import { stateName } from '../tour/ReviewBadge';
import { useSubmitReason } from '../tour/submit-reason';
import { useTour, type TourWithDraft } from '../tour/tour-context';
import { useAccountId, reasonOf, useReason, useWorkspace } from '../workspace/workspace-context';
import { formatReviewRequest, formatReviewEnd } from './format-review';
import { ReturnDialog, SubmitDialog } from './NoteDialogs';

export function ReviewPanel({ releases }: { releases: readonly SiteRelease[] }) {
  const workspace = useWorkspace();
  const tour = useTour();
  const now = useNow();
  const { draft } = tour;
  const inReview = draft.state === 'IN_REVIEW';
  const account = useAccountId();
  const olderLive = formatOlderLive(tour.released, releases);
  const mayRelease = useReason()(MutationTourRelease) === null;
  return (
    <Panel
      title={t.panel.title(draft.number)}
      description={
        <span className="inline-flex flex-wrap items-center gap-2">
          <Badge tone={inReview ? 'brand' : 'plain'}>{stateName(draft.state)}</Badge>
          {t.panel.author(draft.author.name, formatAgo(draft.updatedAt, now))}
        </span>
      }
      actions={inReview ? <InReviewActions tour={tour} mayRelease={mayRelease} /> : <SubmitButton tour={tour} />}
    >
      <div className="grid gap-3">
        <p>
          {inReview
            ? `${t.panel.frozenWhile} ${mayRelease ? t.panel.approve : t.panel.approvedBy}`
            : formatDraftState(tour, account)}{' '}
          {workspace.requireReview ? t.panel.required : null}
        </p>
        {olderLive.length > 0 ? <p>{olderLive.join(' ')}</p> : null}
        <ReviewHistory reviews={draft.reviews} />
      </div>
    </Panel>
  );
}

/** The reviews of a revision with their outcome, newest first. */
export function ReviewHistory({ reviews }: { reviews: readonly ReviewCard_ReviewFragment[] }) {
  const now = useNow();
  if (reviews.length === 0) return null;
  return (
    <ol aria-label={t.panel.history} className="grid gap-2 border-l-2 border-line pl-4 text-sm">
      {reviews.map(review => (
        <li key={review.id} className="grid gap-2">
          {review.endedAt ? <HistoryEntry text={formatReviewEnd(review, now)} note={review.answer} /> : null}
          <HistoryEntry text={formatReviewRequest(review, now)} note={review.note} />
        </li>
      ))}
    </ol>
  );
}

const HistoryEntry = ({ text: words, note }: { text: ReactNode; note: string | null }) => (
  <p>
    {words}
    {note ? <span className="block wrap-anywhere text-muted">{common.quoted(note)}</span> : null}
  </p>
);

function SubmitButton({ tour }: { tour: TourWithDraft }) {
  const { ask: dialogOpen = false } = useSearch({ from: routeIds.revisions });
  const navigate = useNavigate();
  const setDialogOpen = (open: boolean) =>
    void navigate({
      to: '.',
      search: ({ ask: _, ...rest }) => (open ? { ...rest, ask: true } : rest),
      replace: true,
      resetScroll: false,
    });
  const reason = useSubmitReason()(tour);
  const account = useAccountId();
  // The reviewer waits for the author.
  const isNextAction = tour.hasUnreleasedChanges && reviewRequestingChanges(tour.draft)?.endedBy?.id !== account;
  return (
    <>
      <Button
        variant={isNextAction ? 'primary' : 'secondary'}
        icon="review"
        reason={reason}
        onClick={() => setDialogOpen(true)}
      >
        {t.panel.request}
      </Button>
      <SubmitDialog tour={tour} open={dialogOpen && reason === null} onOpenChange={setDialogOpen} />
    </>
  );
}

function InReviewActions({ tour, mayRelease }: { tour: TourWithDraft; mayRelease: boolean }) {
  const { slug: workspace } = useWorkspace();
  return (
    <div className="flex flex-wrap gap-2">
      <ReturnButton tour={tour} />
      {mayRelease ? (
        <Link
          to={paths.releases}
          params={{ workspace, tour: tour.slug }}
          search={{ release: true }}
          className={buttonStyle('primary')}
        >
          <Icon name="release" />
          {t.panel.release}
        </Link>
      ) : null}
    </div>
  );
}

/** Requests changes, or withdraws a request. */
export function ReturnButton({ tour, size = 'medium' }: { tour: TourWithDraft; size?: 'small' | 'medium' }) {
  const [dialogOpen, setDialogOpen] = useState(false);
  const account = useAccountId();
  const isOwnRequest = tour.draft.reviews[0]?.by.id === account;
  const reason =
    useReason()(MutationRevisionReturn) ??
    (tour.status === 'ARCHIVED' ? errors.sentence('TOUR_ARCHIVED', {}) : null) ??
    reasonOf(canFrom(MutationRevisionReturn, tour.draft.state, 'revision'));
  return (
    <>
      <Button size={size} icon="undo" reason={reason} onClick={() => setDialogOpen(true)}>
        {isOwnRequest ? t.panel.withdraw : t.panel.requestChanges}
      </Button>
      <ReturnDialog tour={tour} own={isOwnRequest} open={dialogOpen} onOpenChange={setDialogOpen} />
    </>
  );
}
