import { MutationWorkspaceRename } from '../../generated/fields';
import { useInstanceQuery, useWorkspaceRenameMutation } from '../../generated/hooks';
import { checkArguments } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/workspace';
import { usePageTitle } from '../../shared/lib/hooks';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Input } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { Page } from '../../shared/ui/Page';
import { toast } from '../../shared/ui/toast';
import { RequireReviewPanel } from '../review/RequireReviewPanel';
import { useReason, useWorkspace } from '../workspace/workspace-context';

export function SettingsPage() {
  usePageTitle(t.settings.title);
  return (
    <Page title={t.settings.title}>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <RenamePanel />
          <RequireReviewPanel />
        </div>
        <AboutPanel />
      </div>
    </Page>
  );
}

function RenamePanel() {
  const workspace = useWorkspace();
  const reason = useReason()(MutationWorkspaceRename);
  const [rename] = useWorkspaceRenameMutation();
  const variablesOf = ({ name }: { name: string }) => ({ id: workspace.id, expectedVersion: workspace.version, name });
  const form = useForm({
    initial: { name: workspace.name },
    check: values => checkArguments(MutationWorkspaceRename, variablesOf(values)),
    send: async values => {
      const outcome = await runMutation(rename({ variables: variablesOf(values) }));
      if (!outcome.ok) return outcome.error;
      toast(t.settings.renamed);
      return null;
    },
  });
  return (
    <Panel title={t.settings.workspace}>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        {form.error ? <ErrorNote error={form.error} /> : null}
        <Field label={common.name} error={form.problem('name')}>
          <Input
            value={form.values.name}
            readOnly={reason !== null}
            onChange={event => form.set({ name: event.target.value })}
            onBlur={() => form.touch('name')}
          />
        </Field>
        <Field label={common.slug} hint={t.settings.addressHint}>
          <Input value={`/w/${workspace.slug}`} readOnly className="font-mono" />
        </Field>
        <div className="flex justify-end">
          <Button
            variant="primary"
            type="submit"
            busy={form.busy}
            reason={reason ?? (form.values.name === workspace.name ? common.nothingChanged : null)}
          >
            {t.settings.save}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function AboutPanel() {
  const result = useInstanceQuery({ context: { anonymous: true } });
  return (
    <Panel title={t.settings.about} description={t.settings.license}>
      <Loaded result={result} label={common.loading} rows={1}>
        {({ instance }) => (
          <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-2">
            <dt className="text-muted">{t.settings.version}</dt>
            <dd>{instance.version}</dd>
            <dt className="text-muted">{t.settings.sourceCode}</dt>
            <dd className="wrap-anywhere">
              <a href={instance.sourceUrl} className="underline underline-offset-2">
                {instance.sourceUrl}
              </a>
            </dd>
            <dt className="text-muted">{t.settings.thirdParty}</dt>
            <dd>
              <a href="/licenses.txt" className="underline underline-offset-2">
                {t.settings.licenses}
              </a>
            </dd>
            <dt className="text-muted">{t.settings.signIn}</dt>
            <dd>{instance.providers.map(each => each.name).join(', ')}</dd>
          </dl>
        )}
      </Loaded>
    </Panel>
  );
}
