import { Link } from '@tanstack/react-router';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/review';
import { paths } from '../../shared/lib/paths';
import { reviewRequestingChanges } from '../tour/last-review';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import { ReturnButton } from './ReviewPanel';

/** A note above the editor for a draft in review, with requested changes, or with open comments. */
export function ReviewNote({ unsaved }: { unsaved: boolean }) {
  const { slug: workspace } = useWorkspace();
  const tour = useTour();
  const { draft } = tour;
  const inReview = draft.state === 'IN_REVIEW';
  const review = reviewRequestingChanges(draft);
  if (!inReview && !review && draft.openComments === 0) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-line bg-brand-soft px-4 py-3 text-sm"
    >
      <p className="min-w-0 wrap-anywhere">
        {inReview ? t.editor.inReview : null}
        {inReview && unsaved ? ` ${t.editor.changesKept}` : null}
        {review?.endedBy ? t.editor.returned(review.endedBy.name) : null}
        {review?.answer ? <span className="ml-1">{common.quoted(review.answer)}</span> : null}{' '}
        {draft.openComments > 0 ? t.openComments(draft.openComments) : null}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Link
          to={paths.revisions}
          params={{ workspace, tour: tour.slug }}
          className="font-semibold underline underline-offset-2"
        >
          {t.editor.view}
        </Link>
        {inReview ? <ReturnButton tour={tour} size="small" /> : null}
      </div>
    </div>
  );
}
