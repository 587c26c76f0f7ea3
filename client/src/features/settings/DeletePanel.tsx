import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MutationWorkspaceDelete, QueryAudit } from '../../generated/fields';
import { useWorkspaceDeleteMutation } from '../../generated/hooks';
import { can } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/settings';
import { formatList } from '../../shared/i18n/format';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { Field, Input } from '../../shared/ui/Field';
import { toastAfterLoad } from '../../shared/ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';

export function DeletePanel() {
  const { id, name, slug, sites, myRole } = useWorkspace();
  const reason = useReason()(MutationWorkspaceDelete);
  const [confirming, setConfirming] = useState(false);
  const [typed, setTyped] = useState('');
  const [remove] = useWorkspaceDeleteMutation();
  const change = (open: boolean) => {
    setTyped('');
    setConfirming(open);
  };
  const names = sites.filter(site => !site.own).map(site => site.name);
  return (
    <Panel title={t.delete.panel} description={t.delete.description}>
      <Button variant="danger" icon="trash" reason={reason} onClick={() => change(true)}>
        {t.delete.open}
      </Button>
      <Confirm
        open={confirming}
        onOpenChange={change}
        title={t.delete.title(name)}
        action={t.delete.action}
        reason={typed.trim() === name.trim() ? null : t.delete.typeName}
        fields={
          <Field label={t.delete.name(name)}>
            <Input
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={event => setTyped(event.target.value)}
            />
          </Field>
        }
        onConfirm={async () => {
          const outcome = await runMutation(remove({ variables: { id, name: typed } }));
          if (!outcome.ok) return outcome.error;
          toastAfterLoad(t.delete.deleted(name));
          // Removes all data of the workspace from this tab.
          window.location.assign(paths.workspaces);
          return null;
        }}
      >
        <ul className="grid list-disc gap-1 pl-5">
          <li>{names.length === 0 ? t.delete.tours : t.delete.toursOn(formatList(names))}</li>
          <li>{t.delete.content}</li>
          <li>{t.delete.access}</li>
          <li>
            {t.delete.audit}{' '}
            {can(QueryAudit, myRole).allowed ? (
              <Link to={paths.audit} params={{ workspace: slug }} className="underline underline-offset-2">
                {t.delete.exportFirst}
              </Link>
            ) : null}
          </li>
        </ul>
        <p className="mt-2">{t.delete.irreversible}</p>
      </Confirm>
    </Panel>
  );
}
