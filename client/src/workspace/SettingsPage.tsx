import { act } from '../api/act';
import { useInstanceQuery, useWorkspaceRenameMutation } from '../generated/hooks';
import { MutationWorkspaceRename } from '../generated/fields';
import { checkArguments } from '../generated/traitql';
import { usePageTitle } from '../lib/page-title';
import { useForm } from '../lib/use-form';
import { Button } from '../ui/Button';
import { Panel } from '../ui/Card';
import { ErrorNote } from '../ui/ErrorPanel';
import { Field, Input } from '../ui/Field';
import { Loaded } from '../ui/Loaded';
import { Page } from '../ui/Page';
import { toast } from '../ui/toast';
import { useReason, useWorkspace } from './workspace-context';

export function SettingsPage() {
  usePageTitle('Settings');
  return (
    <Page title="Settings">
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <RenamePanel />
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
      const outcome = await act(rename({ variables: variablesOf(values) }));
      if (!outcome.ok) return outcome.error;
      toast('The workspace has its new name.');
      return null;
    },
  });
  return (
    <Panel title="Workspace">
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        {form.error ? <ErrorNote error={form.error} /> : null}
        <Field label="Name" error={form.problem('name')}>
          <Input
            value={form.values.name}
            readOnly={reason !== null}
            onChange={event => form.set({ name: event.target.value })}
            onBlur={() => form.leave('name')}
          />
        </Field>
        <Field label="Address" hint="It stays as it is, so that links keep working.">
          <Input value={`/w/${workspace.slug}`} readOnly className="font-mono" />
        </Field>
        <div className="flex justify-end">
          <Button
            variant="primary"
            type="submit"
            busy={form.busy}
            reason={reason ?? (form.values.name === workspace.name ? 'Nothing has changed.' : null)}
          >
            Save name
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function AboutPanel() {
  const result = useInstanceQuery({ context: { anonymous: true } });
  return (
    <Panel
      title="About"
      description="Waypost is free software under the AGPL-3.0: you may use, read, change and share it."
    >
      <Loaded result={result} label="Loading" rows={1}>
        {({ instance }) => (
          <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-2">
            <dt className="text-muted">Version</dt>
            <dd>{instance.version}</dd>
            <dt className="text-muted">Source code</dt>
            <dd className="truncate">
              <a href={instance.sourceUrl} className="underline underline-offset-2">
                {instance.sourceUrl}
              </a>
            </dd>
            <dt className="text-muted">Sign-in</dt>
            <dd>{instance.providers.map(each => each.name).join(', ')}</dd>
          </dl>
        )}
      </Loaded>
    </Panel>
  );
}
