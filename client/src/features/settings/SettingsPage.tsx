import { MutationWorkspaceRename } from '../../generated/fields';
import { useInstanceQuery, useWorkspaceRenameMutation } from '../../generated/hooks';
import { checkArguments } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/settings';
import { formatList } from '../../shared/i18n/format';
import { usePageTitle } from '../../shared/lib/hooks';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Input } from '../../shared/ui/Field';
import { Page } from '../../shared/ui/Page';
import { toast } from '../../shared/ui/toast';
import { RequireReviewPanel } from '../review/RequireReviewPanel';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { DeletePanel } from './DeletePanel';
import { RetentionPanel } from './RetentionPanel';

export function SettingsPage() {
  usePageTitle(t.settings.title);
  return (
    <Page title={t.settings.title}>
      <div className="grid max-w-3xl gap-5">
        <RenamePanel />
        <RequireReviewPanel />
        <RetentionPanel />
        <DeletePanel />
        <About />
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

function About() {
  const { data } = useInstanceQuery({ context: { anonymous: true } });
  if (!data) return null;
  const { version, sourceUrl, providers } = data.instance;
  const linkStyle = 'underline underline-offset-2 hover:text-ink';
  return (
    <section aria-label={t.settings.about} className="grid gap-1 px-1 text-sm text-muted">
      <h2 className="sr-only">{t.settings.about}</h2>
      <p className="flex flex-wrap gap-x-3 gap-y-1">
        <span>Waypost {version}</span>
        <a href={sourceUrl} className={linkStyle}>
          {t.settings.sourceCode}
        </a>
        <a href="/licenses.txt" className={linkStyle}>
          {t.settings.thirdParty}
        </a>
        <span>{t.settings.signIn(formatList(providers.map(each => each.name)))}</span>
      </p>
      <p>{t.settings.license}</p>
    </section>
  );
}
