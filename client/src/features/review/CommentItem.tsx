import { Link } from '@tanstack/react-router';
import { useRef, useState, type RefObject } from 'react';
import {
  MutationCommentDelete,
  MutationCommentReopen,
  MutationCommentReply,
  MutationCommentResolve,
} from '../../generated/fields';
import { useCommentDeleteMutation, useCommentReopenMutation, useCommentResolveMutation } from '../../generated/hooks';
import type { CommentRow_CommentFragment } from '../../generated/operations';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/review';
import { formatAgo } from '../../shared/i18n/format';
import { useFocusAfter, useNow } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { toast } from '../../shared/ui/toast';
import { stepName } from '../tour/format-field';
import { useTour } from '../tour/tour-context';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { CommentReplies, ReplyForm } from './CommentReplies';
import { commentRefetchOptions, useArchivedReason } from './comments';
import { DeleteCommentButton } from './DeleteCommentButton';
import type { RevisionWithContent } from './use-revision-content';

/** `withStep` links to the step. `fallbackFocus` receives the focus of a removed comment. */
export function CommentItem({
  comment,
  revision,
  fallbackFocus,
  withStep = true,
}: {
  comment: CommentRow_CommentFragment;
  revision: RevisionWithContent;
  fallbackFocus: RefObject<HTMLElement | null>;
  withStep?: boolean;
}) {
  const item = useRef<HTMLLIElement>(null);
  useFocusAfter(item, fallbackFocus);
  const now = useNow();
  const archived = useArchivedReason();
  const reasonFor = useReason();
  const [resolve, { loading: resolving }] = useCommentResolveMutation(commentRefetchOptions(revision.id));
  const [reopen, { loading: reopening }] = useCommentReopenMutation(commentRefetchOptions(revision.id));
  const [remove] = useCommentDeleteMutation(commentRefetchOptions(revision.id));
  const replyAction = useRef<HTMLSpanElement>(null);
  const [replying, setReplying] = useState(false);
  const isOpen = comment.resolvedAt === null;
  const toggleResolved = async () => {
    const variables = { id: comment.id };
    const outcome = await runMutation<unknown>(isOpen ? resolve({ variables }) : reopen({ variables }));
    if (!outcome.ok) toast(outcome.error.message, { tone: 'danger' });
  };
  return (
    <li ref={item} className="grid min-w-0 gap-1 border-l-2 border-line pl-3">
      <p className="text-sm text-muted">
        <span className="font-medium text-ink">{comment.by.name}</span> · {formatAgo(comment.at, now)}
        {comment.revision.id === revision.id ? '' : ` · ${t.comments.onRevision(comment.revision.number)}`}
      </p>
      {comment.stepKey === null || !withStep ? null : (
        <p className="text-sm">
          <StepLink stepKey={comment.stepKey} revision={revision} />
        </p>
      )}
      <p className="wrap-anywhere whitespace-pre-line">{comment.body}</p>
      {comment.resolvedAt && comment.resolvedBy ? (
        <p className="text-sm text-muted">
          {t.comments.resolvedBy(comment.resolvedBy.name, formatAgo(comment.resolvedAt, now))}
        </p>
      ) : null}
      <CommentReplies comment={comment} fallbackFocus={item} />
      <div className="flex flex-wrap items-center gap-1">
        <Button
          size="small"
          variant="ghost"
          icon={isOpen ? 'check' : 'undo'}
          busy={resolving || reopening}
          reason={reasonFor(isOpen ? MutationCommentResolve : MutationCommentReopen) ?? archived}
          onClick={() => void toggleResolved()}
        >
          {isOpen ? t.comments.resolve : t.comments.reopen}
          <span className="sr-only">, {t.comments.of(comment.by.name)}</span>
        </Button>
        <span ref={replyAction} className="inline-flex">
          <Button
            size="small"
            variant="ghost"
            icon="comment"
            reason={reasonFor(MutationCommentReply) ?? archived}
            onClick={() => setReplying(true)}
          >
            {t.comments.reply.add}
            <span className="sr-only">, {t.comments.of(comment.by.name)}</span>
          </Button>
        </span>
        <DeleteCommentButton
          author={comment.by}
          field={MutationCommentDelete}
          texts={t.comments}
          onDelete={() => runMutation(remove({ variables: { id: comment.id } }))}
        />
      </div>
      {replying ? <ReplyForm id={comment.id} fallbackFocus={replyAction} onClose={() => setReplying(false)} /> : null}
    </li>
  );
}

function StepLink({ stepKey, revision }: { stepKey: string; revision: RevisionWithContent }) {
  const { slug: workspace } = useWorkspace();
  const { slug: tour } = useTour();
  const index = revision.steps.findIndex(step => step.key === stepKey);
  const step = revision.steps[index];
  if (!step) return t.comments.deletedStep(stepKey);
  return (
    <Link
      to={paths.tour}
      params={{ workspace, tour }}
      search={{ step: stepKey }}
      className="font-medium wrap-anywhere underline underline-offset-2"
    >
      {t.words.step(index + 1, stepName(step))}
    </Link>
  );
}
