import { useNavigate } from '@tanstack/react-router';
import { Sites } from '../../generated/documents/Sites';
import { useSiteCreateMutation } from '../../generated/hooks';
import { SiteCreateInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/site';
import { paths } from '../../shared/lib/paths';
import { useForm } from '../../shared/lib/use-form';
import { Dialog } from '../../shared/ui/Dialog';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Input } from '../../shared/ui/Field';
import { useWorkspace } from '../workspace/workspace-context';
import { OriginsField, originsOf, originsProblem } from './OriginsField';

export function SiteCreateDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t.create.title} description={t.create.description}>
      <SiteCreateForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function SiteCreateForm({ onCancel }: { onCancel: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [create] = useSiteCreateMutation({
    refetchQueries: [{ query: Sites, variables: { slug: workspace.slug } }],
    awaitRefetchQueries: true,
  });
  const inputOf = (values: { name: string; origins: string; allowHttp: boolean }) => ({
    workspaceId: workspace.id,
    name: values.name,
    origins: originsOf(values.origins),
    allowHttp: values.allowHttp,
  });
  const form = useForm({
    initial: { name: '', origins: '', allowHttp: false },
    check: values => checkInput(SiteCreateInputRules, inputOf(values)),
    send: async values => {
      const outcome = await runMutation(create({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      void navigate({ to: paths.site, params: { workspace: workspace.slug, site: outcome.data.siteCreate.id } });
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
      <OriginsField
        value={form.values.origins}
        allowHttp={form.values.allowHttp}
        error={form.problem('origins') && (originsProblem(form.values.origins) ?? form.problem('origins'))}
        onChange={form.set}
        onLeave={() => form.touch('origins')}
      />
    </DialogForm>
  );
}
