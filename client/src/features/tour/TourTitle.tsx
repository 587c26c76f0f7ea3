import { useState } from 'react';
import { MutationTourRename } from '../../generated/fields';
import { useTourRenameMutation } from '../../generated/hooks';
import { checkArguments } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/tour';
import { useForm } from '../../shared/lib/use-form';
import { IconButton } from '../../shared/ui/Button';
import { Dialog } from '../../shared/ui/Dialog';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Input } from '../../shared/ui/Field';
import { toast } from '../../shared/ui/toast';
import { useReason } from '../workspace/workspace-context';
import type { TourWithDraft } from './tour-context';

export function TourTitle({ tour }: { tour: TourWithDraft }) {
  const [renaming, setRenaming] = useState(false);
  const archived = tour.status === 'ARCHIVED' ? t.title.archived : null;
  const reason = useReason()(MutationTourRename) ?? archived;
  return (
    <>
      <span className="flex min-w-0 items-center gap-1">
        <h1 className="truncate text-xl font-semibold tracking-tight">{tour.title}</h1>
        <IconButton label={t.title.rename} icon="edit" reason={reason} onClick={() => setRenaming(true)} />
      </span>
      <Dialog open={renaming} onOpenChange={setRenaming} title={t.title.dialog}>
        <RenameForm tour={tour} onDone={() => setRenaming(false)} />
      </Dialog>
    </>
  );
}

function RenameForm({ tour, onDone }: { tour: TourWithDraft; onDone: () => void }) {
  const [rename] = useTourRenameMutation();
  const form = useForm({
    initial: { title: tour.title },
    check: values => checkArguments(MutationTourRename, { id: tour.id, expectedVersion: tour.version, ...values }),
    send: async ({ title }) => {
      const outcome = await runMutation(rename({ variables: { id: tour.id, expectedVersion: tour.version, title } }));
      if (!outcome.ok) return outcome.error;
      toast(t.title.done);
      onDone();
      return null;
    },
  });
  return (
    <DialogForm form={form} action={t.title.rename} onCancel={onDone}>
      <Field label={t.title.label} error={form.problem('title')} hint={t.title.hint}>
        <Input
          value={form.values.title}
          onChange={event => form.set({ title: event.target.value })}
          onBlur={() => form.touch('title')}
        />
      </Field>
    </DialogForm>
  );
}
