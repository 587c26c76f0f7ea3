import { MutationRevisionReturn, MutationRevisionSubmit } from '../../generated/fields';
import { useRevisionReturnMutation, useRevisionSubmitMutation } from '../../generated/hooks';
import { checkArguments, type Violation } from '../../generated/traitql';
import type { AppError } from '../../shared/api/app-error';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/review';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Actions, Dialog } from '../../shared/ui/Dialog';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Textarea } from '../../shared/ui/Field';
import { toast } from '../../shared/ui/toast';
import { formatUnchanged } from '../tour/live-revision';
import type { TourWithDraft } from '../tour/tour-context';

interface DialogProps {
  tour: TourWithDraft;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function SubmitDialog({ tour, open, onOpenChange }: DialogProps) {
  const [submit] = useRevisionSubmitMutation();
  const { id, version, openComments } = tour.draft;
  const sentences = [
    formatUnchanged(tour),
    openComments > 0 ? t.submit.open(openComments) : null,
    t.submit.description,
  ];
  const variablesOf = (note: string) => ({ id, expectedVersion: version, note: note.trim() || null });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t.submit.title}
      description={sentences.filter(Boolean).join(' ')}
    >
      <NoteForm
        texts={t.submit}
        check={note => checkArguments(MutationRevisionSubmit, variablesOf(note))}
        onCancel={() => onOpenChange(false)}
        onSend={async note => {
          const outcome = await runMutation(submit({ variables: variablesOf(note) }));
          if (!outcome.ok) return outcome.error;
          onOpenChange(false);
          toast(t.submit.done);
          return null;
        }}
      />
    </Dialog>
  );
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
}: {
  texts: { readonly note: string; readonly hint: string; readonly action: string };
  check: (note: string) => Violation[];
  onCancel: () => void;
  onSend: (note: string) => Promise<AppError | null>;
}) {
  const form = useForm({
    initial: { note: '' },
    check: ({ note }) => check(note),
    send: ({ note }) => onSend(note),
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {form.error ? <ErrorNote error={form.error} /> : null}
      <Field label={texts.note} hint={texts.hint} error={form.problem('note')} optional>
        <Textarea
          rows={3}
          value={form.values.note}
          onChange={event => form.set({ note: event.target.value })}
          onBlur={() => form.touch('note')}
        />
      </Field>
      <Actions>
        <Button onClick={onCancel}>{common.cancel}</Button>
        <Button variant="primary" type="submit" busy={form.busy}>
          {texts.action}
        </Button>
      </Actions>
    </form>
  );
}
