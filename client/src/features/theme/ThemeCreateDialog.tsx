import { useNavigate } from '@tanstack/react-router';
import { Themes } from '../../generated/documents/Themes';
import { useThemeCreateMutation } from '../../generated/hooks';
import { ThemeInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/theme';
import { paths } from '../../shared/lib/paths';
import { useForm } from '../../shared/lib/use-form';
import { Dialog } from '../../shared/ui/Dialog';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Input } from '../../shared/ui/Field';
import { useWorkspace } from '../workspace/workspace-context';

export function ThemeCreateDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t.create.title} description={t.create.description}>
      <ThemeCreateForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ThemeCreateForm({ onCancel }: { onCancel: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [create] = useThemeCreateMutation({
    refetchQueries: [{ query: Themes, variables: { slug: workspace.slug } }],
    awaitRefetchQueries: true,
  });
  const form = useForm({
    initial: { name: '' },
    check: values => checkInput(ThemeInputRules, values),
    send: async input => {
      const outcome = await runMutation(create({ variables: { workspaceId: workspace.id, input } }));
      if (!outcome.ok) return outcome.error;
      void navigate({ to: paths.theme, params: { workspace: workspace.slug, theme: outcome.data.themeCreate.id } });
      return null;
    },
  });
  return (
    <DialogForm form={form} action={t.create.submit} onCancel={onCancel}>
      <Field label={common.name} error={form.problem('name')}>
        <Input
          value={form.values.name}
          onChange={event => form.set({ name: event.target.value })}
          onBlur={() => form.touch('name')}
          placeholder={t.create.example}
        />
      </Field>
    </DialogForm>
  );
}
