import { useState } from 'react';
import { MutationWorkspaceDelete } from '../../generated/fields';
import { useWorkspaceDeleteMutation } from '../../generated/hooks';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/workspace';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { Confirm } from '../../shared/ui/Confirm';
import { toastAfterLoad } from '../../shared/ui/toast';
import { useReason, useWorkspace } from './workspace-context';

export function SampleNotice() {
  const { id, name } = useWorkspace();
  const reason = useReason()(MutationWorkspaceDelete);
  const [confirming, setConfirming] = useState(false);
  const [remove] = useWorkspaceDeleteMutation();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-sunken px-4 py-1.5 text-sm sm:px-8">
      <p className="text-muted">{t.sample.notice}</p>
      {reason === null ? (
        <Button size="small" onClick={() => setConfirming(true)}>
          {t.sample.remove}
        </Button>
      ) : null}
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.sample.title(name)}
        action={t.sample.remove}
        onConfirm={async () => {
          const outcome = await runMutation(remove({ variables: { id, name } }));
          if (!outcome.ok) return outcome.error;
          toastAfterLoad(t.sample.removed(name));
          // Removes all data of the workspace from this tab.
          window.location.assign(paths.workspaces);
          return null;
        }}
      >
        {t.sample.text}
      </Confirm>
    </div>
  );
}
