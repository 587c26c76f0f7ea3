import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { act } from '../api/act';
import { MutationCommentAdd, MutationCommentReopen, MutationCommentResolve } from '../generated/fields';
import { useCommentAddMutation, useCommentReopenMutation, useCommentResolveMutation } from '../generated/hooks';
import { RevisionContent, type CommentRow_CommentFragment } from '../generated/operations';
import { checkArguments } from '../generated/traitql';
import { formatAgo } from '../lib/format';
import { useNow } from '../lib/now';
import { useForm } from '../lib/use-form';
import { paths } from '../paths';
import { t as errors } from '../texts/errors';
import { t } from '../texts/review';
import { stepName } from '../tour/field-words';
import { useTour } from '../tour/tour-context';
import { Button } from '../ui/Button';
import { Panel } from '../ui/Card';
import { ErrorNote } from '../ui/ErrorPanel';
import { Field, Select, Textarea } from '../ui/Field';
import { Loaded } from '../ui/Loaded';
import { toast } from '../ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { useContent, type RevisionWithContent } from './use-content';

/** What people say about a revision and its steps. */
export function CommentsPanel({ revision: { id } }: { revision: { id: string } }) {
  const result = useContent(id);
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
  const row = (comment: CommentRow_CommentFragment) => <Comment key={comment.id} comment={comment} revision={revision} />;
  return (
    <div className="grid gap-5">
      {open.length > 0 ? (
        <ul aria-label={t.comments.list} className="grid gap-4">
          {open.map(row)}
        </ul>
      ) : (
        <p className="text-muted">{resolved.length > 0 ? t.comments.allResolved : t.comments.none}</p>
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
      <CommentForm revision={revision} />
    </div>
  );
}

/** What shows the comments of a revision anew; the open one's come by the live stream too. */
const commentsAgain = (id: string) => ({ refetchQueries: [{ query: RevisionContent, variables: { id } }] });

function useArchived(): string | null {
  return useTour().status === 'ARCHIVED' ? errors.sentence('TOUR_ARCHIVED', {}) : null;
}

function Comment({ comment, revision }: { comment: CommentRow_CommentFragment; revision: RevisionWithContent }) {
  const now = useNow();
  const archived = useArchived();
  const reasonFor = useReason();
  const [resolve, { loading: resolving }] = useCommentResolveMutation(commentsAgain(revision.id));
  const [reopen, { loading: reopening }] = useCommentReopenMutation(commentsAgain(revision.id));
  const isOpen = comment.resolvedAt === null;
  const turn = async () => {
    const variables = { id: comment.id };
    const outcome = await act<unknown>(isOpen ? resolve({ variables }) : reopen({ variables }));
    if (!outcome.ok) toast(outcome.error.message, { tone: 'danger' });
  };
  return (
    <li className="grid min-w-0 gap-1 border-l-2 border-line pl-3">
      <p className="text-sm text-muted">
        <span className="font-medium text-ink">{comment.by.name}</span> · {formatAgo(comment.at, now)}
        {comment.revision.id === revision.id ? '' : ` · ${t.comments.onRevision(comment.revision.number)}`}
      </p>
      {comment.stepKey === null ? null : (
        <p className="text-sm">
          <StepLink stepKey={comment.stepKey} revision={revision} />
        </p>
      )}
      <p className="break-words whitespace-pre-line">{comment.body}</p>
      {comment.resolvedAt && comment.resolvedBy ? (
        <p className="text-sm text-muted">
          {t.comments.resolvedBy(comment.resolvedBy.name, formatAgo(comment.resolvedAt, now))}
        </p>
      ) : null}
      <div>
        <Button
          size="small"
          variant="ghost"
          icon={isOpen ? 'check' : 'undo'}
          busy={resolving || reopening}
          reason={reasonFor(isOpen ? MutationCommentResolve : MutationCommentReopen) ?? archived}
          onClick={() => void turn()}
        >
          {isOpen ? t.comments.resolve : t.comments.reopen}
          <span className="sr-only">, {t.comments.of(comment.by.name)}</span>
        </Button>
      </div>
    </li>
  );
}

function StepLink({ stepKey, revision }: { stepKey: string; revision: RevisionWithContent }) {
  const { slug: workspace } = useWorkspace();
  const { slug: tour } = useTour();
  const index = revision.steps.findIndex(step => step.key === stepKey);
  const step = revision.steps[index];
  if (!step) return t.comments.goneStep(stepKey);
  return (
    <Link
      to={paths.tour}
      params={{ workspace, tour }}
      search={{ step: stepKey }}
      className="font-medium break-words underline underline-offset-2"
    >
      {t.words.step(index + 1, stepName(step))}
    </Link>
  );
}

function CommentForm({ revision }: { revision: RevisionWithContent }) {
  const archived = useArchived();
  const reason = useReason()(MutationCommentAdd) ?? archived;
  const [add] = useCommentAddMutation({ ...commentsAgain(revision.id), awaitRefetchQueries: true });
  const text = useRef<HTMLTextAreaElement>(null);
  const inputOf = ({ stepKey, body }: { stepKey: string; body: string }) => ({
    revisionId: revision.id,
    stepKey: stepKey === '' ? null : stepKey,
    body: body.trim(),
  });
  const form = useForm({
    initial: { stepKey: '', body: '' },
    check: values => checkArguments(MutationCommentAdd, { input: inputOf(values) }),
    send: async values => {
      const outcome = await act(add({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      form.reset();
      text.current?.focus();
      return null;
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3 border-t border-line pt-4">
      {form.error ? <ErrorNote error={form.error} /> : null}
      <Field label={t.comments.about}>
        <Select value={form.values.stepKey} onChange={event => form.set({ stepKey: event.target.value })}>
          <option value="">{t.comments.whole}</option>
          {revision.steps.map((step, index) => (
            <option key={step.key} value={step.key}>
              {t.words.step(index + 1, stepName(step))}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t.comments.text} error={form.problem('body')}>
        <Textarea
          ref={text}
          rows={3}
          readOnly={reason !== null}
          placeholder={t.comments.placeholder}
          value={form.values.body}
          onChange={event => form.set({ body: event.target.value })}
        />
      </Field>
      <div className="flex justify-end">
        <Button type="submit" icon="comment" busy={form.busy} reason={reason}>
          {t.comments.add}
        </Button>
      </div>
    </form>
  );
}
