import { useNavigate } from '@tanstack/react-router';
import { Instance } from '../../generated/documents/Instance';
import { Viewer } from '../../generated/documents/Viewer';
import { useWorkspaceCreateMutation } from '../../generated/hooks';
import { WorkspaceCreateInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/workspace';
import { paths } from '../../shared/lib/paths';
import { slugFor } from '../../shared/lib/slug';
import { useForm } from '../../shared/lib/use-form';
import { Dialog } from '../../shared/ui/Dialog';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Input } from '../../shared/ui/Field';
import { SlugField } from '../../shared/ui/SlugField';

export function WorkspaceCreateDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t.create.title} description={t.create.description}>
      <WorkspaceCreateForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function WorkspaceCreateForm({ onCancel }: { onCancel: () => void }) {
  const navigate = useNavigate();
  const [create] = useWorkspaceCreateMutation({
    // The first workspace also creates Waypost's own site, whose key is part of the instance. No screen without a
    // workspace shows the instance, so its name alone would fetch nothing.
    refetchQueries: [Viewer, { query: Instance, context: { anonymous: true } }],
  });
  const form = useForm({
    initial: { name: '', slug: '' },
    check: values => checkInput(WorkspaceCreateInputRules, values),
    send: async input => {
      const outcome = await runMutation(create({ variables: { input } }));
      if (!outcome.ok) return outcome.error;
      void navigate({ to: paths.tours, params: { workspace: outcome.data.workspaceCreate.slug } });
      return null;
    },
  });
  return (
    <DialogForm form={form} action={t.create.submit} onCancel={onCancel}>
      <Field label={common.name} error={form.problem('name')}>
        <Input
          value={form.values.name}
          onChange={event => {
            const name = event.target.value;
            form.set({ name, slug: slugFor(name, form.values) });
          }}
          onBlur={() => form.touch('name')}
          autoComplete="organization"
          placeholder="Acme"
        />
      </Field>
      <SlugField
        value={form.values.slug}
        hint={t.create.addressHint(form.values.slug || '…')}
        error={form.problem('slug')}
        onChange={slug => form.set({ slug })}
        onLeave={() => form.touch('slug')}
      />
    </DialogForm>
  );
}
