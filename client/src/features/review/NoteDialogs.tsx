import { useState, type ReactNode } from 'react';
import { MutationRevisionReturn, MutationRevisionSubmit, MutationTourRelease } from '../../generated/fields';
import { useMembersQuery, useRevisionReturnMutation, useRevisionSubmitMutation } from '../../generated/hooks';
import { checkArguments, type Violation } from '../../generated/traitql';
import type { AppError } from '../../shared/api/app-error';
import { can } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/review';
import { useForm } from '../../shared/lib/use-form';
import { Dialog } from '../../shared/ui/Dialog';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Select, Textarea } from '../../shared/ui/Field';
import { toast } from '../../shared/ui/toast';
import { formatUnchanged } from '../tour/live-revision';
import type { TourWithDraft } from '../tour/tour-context';
import { useAccountId, useWorkspace } from '../workspace/workspace-context';

interface DialogProps {
  tour: TourWithDraft;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function SubmitDialog({ tour, open, onOpenChange }: DialogProps) {
  const { openComments } = tour.draft;
  const sentences = [
    formatUnchanged(tour),
    openComments > 0 ? t.submit.open(openComments) : null,
    t.submit.description,
  ];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t.submit.title}
      description={sentences.filter(Boolean).join(' ')}
    >
      <SubmitForm draft={tour.draft} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function SubmitForm({ draft, onClose }: { draft: TourWithDraft['draft']; onClose: () => void }) {
  const [submit] = useRevisionSubmitMutation();
  const reviewers = useReviewers(draft.author.id);
  // A changed draft usually returns to its previous reviewer.
  const [reviewerId, setReviewerId] = useState(draft.reviews[0]?.reviewer?.id ?? '');
  const reviewer = reviewers.find(({ id }) => id === reviewerId);
  const variablesOf = (note: string) => ({
    id: draft.id,
    expectedVersion: draft.version,
    note: note.trim() || null,
    reviewerId: reviewer?.id ?? null,
  });
  return (
    <NoteForm
      texts={t.submit}
      check={note => checkArguments(MutationRevisionSubmit, variablesOf(note))}
      onCancel={onClose}
      onSend={async note => {
        const outcome = await runMutation(submit({ variables: variablesOf(note) }));
        if (!outcome.ok) return outcome.error;
        onClose();
        toast(reviewer ? t.submit.doneFrom(reviewer.name) : t.submit.done);
        return null;
      }}
    >
      <Field label={t.submit.reviewer} hint={t.submit.reviewerHint}>
        <Select value={reviewer?.id ?? ''} onChange={event => setReviewerId(event.target.value)}>
          <option value="">{t.submit.anyReviewer}</option>
          {reviewers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </NoteForm>
  );
}

/** Returns the members who can approve a draft of the author on the caller's request; empty while loading. */
function useReviewers(authorId: string): readonly { readonly id: string; readonly name: string }[] {
  const { slug } = useWorkspace();
  const accountId = useAccountId();
  const { data } = useMembersQuery({ variables: { slug }, fetchPolicy: 'cache-and-network' });
  const members = data?.workspace?.members ?? [];
  return members
    .filter(
      ({ account, role }) =>
        account.id !== accountId && account.id !== authorId && can(MutationTourRelease, role).allowed,
    )
    .map(({ account }) => account);
}

export function ReturnDialog({ tour, own, open, onOpenChange }: DialogProps & { own: boolean }) {
  const [returnRevision] = useRevisionReturnMutation();
  const variablesOf = (note: string) => ({ id: tour.draft.id, note: note.trim() || null });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={own ? t.requestChanges.ownTitle : t.requestChanges.title}
      description={own ? t.requestChanges.ownDescription : t.requestChanges.description}
    >
      <NoteForm
        texts={
          own
            ? { ...t.requestChanges, hint: t.requestChanges.ownHint, action: t.requestChanges.ownAction }
            : t.requestChanges
        }
        check={note => checkArguments(MutationRevisionReturn, variablesOf(note))}
        onCancel={() => onOpenChange(false)}
        onSend={async note => {
          const outcome = await runMutation(returnRevision({ variables: variablesOf(note) }));
          if (!outcome.ok) return outcome.error;
          onOpenChange(false);
          toast(t.requestChanges.done);
          return null;
        }}
      />
    </Dialog>
  );
}

function NoteForm({
  texts,
  check,
  onCancel,
  onSend,
  children,
}: {
  texts: { readonly note: string; readonly hint: string; readonly action: string };
  check: (note: string) => Violation[];
  onCancel: () => void;
  onSend: (note: string) => Promise<AppError | null>;
  /** Fields above the note. */
  children?: ReactNode;
}) {
  const form = useForm({
    initial: { note: '' },
    check: ({ note }) => check(note),
    send: ({ note }) => onSend(note),
  });
  return (
    <DialogForm form={form} action={texts.action} onCancel={onCancel}>
      {children}
      <Field label={texts.note} hint={texts.hint} error={form.problem('note')} optional>
        <Textarea
          rows={3}
          value={form.values.note}
          onChange={event => form.set({ note: event.target.value })}
          onBlur={() => form.touch('note')}
        />
      </Field>
    </DialogForm>
  );
}
