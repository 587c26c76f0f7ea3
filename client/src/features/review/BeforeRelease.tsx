import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../shared/i18n/en/review';
import { useNow } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import { formatLastReview } from './format-review';

/** A note in the release dialog: the newest review of the draft, and its open comments. */
export function BeforeRelease({
  isReleasedAgain,
}: {
  /** True if an earlier revision is released again, not the draft. */
  isReleasedAgain: boolean;
}) {
  const { draft } = useTour();
  const now = useNow();
  if (isReleasedAgain && draft.openComments === 0) return null;
  return (
    <div className="grid gap-1 text-sm text-muted">
      {isReleasedAgain ? null : (
        <p>
          {formatLastReview(draft, now)}{' '}
          <ReviewLink>{draft.state === 'DRAFT' ? t.panel.request : t.editor.view}</ReviewLink>
        </p>
      )}
      {draft.openComments > 0 ? (
        <p>
          {t.beforeRelease.open(draft.openComments)} <ReviewLink>{t.beforeRelease.comments}</ReviewLink>
        </p>
      ) : null}
    </div>
  );
}

function ReviewLink({ children }: { children: ReactNode }) {
  const { slug: workspace } = useWorkspace();
  const { slug: tour } = useTour();
  return (
    <Link
      to={paths.revisions}
      params={{ workspace, tour }}
      className="font-medium text-ink underline underline-offset-2"
    >
      {children}
    </Link>
  );
}
