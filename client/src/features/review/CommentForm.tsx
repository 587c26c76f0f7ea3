import { useEffect, useRef } from 'react';
import { MutationCommentAdd } from '../../generated/fields';
import { useCommentAddMutation } from '../../generated/hooks';
import { checkArguments } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/review';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Select, Textarea } from '../../shared/ui/Field';
import { stepName } from '../tour/format-field';
import { useReason } from '../workspace/workspace-context';
import { commentRefetchOptions, useArchivedReason } from './comments';
import type { RevisionWithContent } from './use-revision-content';

/** Null for the whole tour; if omitted, there is a selector. */
export function CommentForm({
  revision,
  step,
  notReadyReason = null,
}: {
  revision: RevisionWithContent;
  step?: string | null;
  notReadyReason?: string | null;
}) {
  const archived = useArchivedReason();
  const reason = useReason()(MutationCommentAdd) ?? archived ?? notReadyReason;
  const [add] = useCommentAddMutation({ ...commentRefetchOptions(revision.id), awaitRefetchQueries: true });
  const text = useRef<HTMLTextAreaElement>(null);
  // The user opened the form to write.
  useEffect(() => {
    if (step !== undefined) text.current?.focus();
  }, [step]);
  const inputOf = ({ stepKey, body }: { stepKey: string; body: string }) => ({
    revisionId: revision.id,
    stepKey: stepKey === '' ? null : stepKey,
    body: body.trim(),
  });
  const form = useForm({
    initial: { stepKey: step ?? '', body: '' },
    check: values => checkArguments(MutationCommentAdd, { input: inputOf(values) }),
    send: async values => {
      const outcome = await runMutation(add({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      form.reset();
      text.current?.focus();
      return null;
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3 border-t border-line pt-4">
      {form.error ? <ErrorNote error={form.error} /> : null}
      {step === undefined ? (
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
      ) : null}
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
