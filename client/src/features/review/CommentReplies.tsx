import { useEffect, useRef, type RefObject } from 'react';
import { MutationCommentReply, MutationCommentReplyDelete } from '../../generated/fields';
import { useCommentReplyDeleteMutation, useCommentReplyMutation } from '../../generated/hooks';
import type { CommentRow_CommentFragment as Comment } from '../../generated/operations';
import { checkArguments } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/review';
import { formatAgo } from '../../shared/i18n/format';
import { useFocusAfter, useNow } from '../../shared/lib/hooks';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Textarea } from '../../shared/ui/Field';
import { DeleteCommentButton } from './DeleteCommentButton';

/** `fallbackFocus` receives the focus of a removed reply. */
export function CommentReplies({
  comment,
  fallbackFocus,
}: {
  comment: Comment;
  fallbackFocus: RefObject<HTMLElement | null>;
}) {
  if (comment.replies.length === 0) return null;
  return (
    <ul aria-label={t.comments.repliesTo(comment.by.name)} className="mt-1 grid gap-3 border-l-2 border-line pl-3">
      {comment.replies.map(reply => (
        <ReplyItem key={reply.id} reply={reply} fallbackFocus={fallbackFocus} />
      ))}
    </ul>
  );
}

function ReplyItem({
  reply: { id, by, at, body },
  fallbackFocus,
}: {
  reply: Comment['replies'][number];
  fallbackFocus: RefObject<HTMLElement | null>;
}) {
  const item = useRef<HTMLLIElement>(null);
  useFocusAfter(item, fallbackFocus);
  const now = useNow();
  const [remove] = useCommentReplyDeleteMutation();
  return (
    <li ref={item} className="flex min-w-0 items-start gap-1">
      <div className="min-w-0 grow">
        <p className="text-sm text-muted">
          <span className="font-medium text-ink">{by.name}</span> · {formatAgo(at, now)}
        </p>
        <p className="wrap-anywhere whitespace-pre-line">{body}</p>
      </div>
      <DeleteCommentButton
        author={by}
        field={MutationCommentReplyDelete}
        texts={t.comments.reply}
        onDelete={() => runMutation(remove({ variables: { id } }))}
      />
    </li>
  );
}

/** `fallbackFocus` receives the focus of the closed form. */
export function ReplyForm({
  id,
  fallbackFocus,
  onClose,
}: {
  id: string;
  fallbackFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}) {
  const [send] = useCommentReplyMutation();
  const formElement = useRef<HTMLFormElement>(null);
  useFocusAfter(formElement, fallbackFocus);
  const text = useRef<HTMLTextAreaElement>(null);
  // The user opened the form to write.
  useEffect(() => text.current?.focus(), []);
  const variablesOf = ({ body }: { body: string }) => ({ id, body: body.trim() });
  const form = useForm({
    initial: { body: '' },
    check: values => checkArguments(MutationCommentReply, variablesOf(values)),
    send: async values => {
      const outcome = await runMutation(send({ variables: variablesOf(values) }));
      if (!outcome.ok) return outcome.error;
      onClose();
      return null;
    },
  });
  return (
    <form ref={formElement} onSubmit={form.submit} noValidate className="mt-1 grid gap-3">
      {form.error ? <ErrorNote error={form.error} /> : null}
      <Field label={t.comments.reply.text} error={form.problem('body')}>
        <Textarea
          ref={text}
          rows={2}
          value={form.values.body}
          onChange={event => form.set({ body: event.target.value })}
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button size="small" variant="primary" type="submit" busy={form.busy}>
          {t.comments.reply.add}
        </Button>
      </div>
    </form>
  );
}
