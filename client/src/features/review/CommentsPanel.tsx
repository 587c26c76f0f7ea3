import { useRef } from 'react';
import type { CommentRow_CommentFragment } from '../../generated/operations';
import { t } from '../../shared/i18n/en/review';
import { Panel } from '../../shared/ui/Card';
import { Loaded } from '../../shared/ui/Loaded';
import { CommentForm } from './CommentForm';
import { CommentItem } from './CommentItem';
import { useRevisionContent, type RevisionWithContent } from './use-revision-content';

export function CommentsPanel({ revision: { id } }: { revision: { id: string } }) {
  const result = useRevisionContent(id);
  return (
    <Panel title={t.comments.title} description={null}>
      <Loaded result={result} label={t.comments.loading} rows={2}>
        {({ revision }) => (revision ? <Comments revision={revision} /> : <p>{t.changes.gone}</p>)}
      </Loaded>
    </Panel>
  );
}

function Comments({ revision }: { revision: RevisionWithContent }) {
  const open = revision.comments.filter(each => each.resolvedAt === null);
  const resolved = revision.comments.filter(each => each.resolvedAt !== null);
  const form = useRef<HTMLDivElement>(null);
  const row = (comment: CommentRow_CommentFragment) => (
    <CommentItem key={comment.id} comment={comment} revision={revision} fallbackFocus={form} />
  );
  return (
    <div className="grid gap-5">
      {open.length > 0 ? (
        <ul aria-label={t.comments.list} className="grid gap-4">
          {open.map(row)}
        </ul>
      ) : (
        <p className="text-muted">{resolved.length > 0 ? t.comments.allResolved : t.comments.none(revision.number)}</p>
      )}
      {resolved.length > 0 ? (
        <details>
          <summary className="inline-flex text-sm font-medium text-muted hover:text-ink">
            {t.comments.resolved(resolved.length)}
          </summary>
          <ul aria-label={t.comments.resolved(resolved.length)} className="mt-3 grid gap-4">
            {resolved.map(row)}
          </ul>
        </details>
      ) : null}
      <div ref={form}>
        <CommentForm revision={revision} />
      </div>
    </div>
  );
}
