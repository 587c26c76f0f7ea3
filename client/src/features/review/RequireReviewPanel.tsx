import { useState } from 'react';
import { MutationWorkspaceReviewSet } from '../../generated/fields';
import { useWorkspaceReviewSetMutation } from '../../generated/hooks';
import type { AppError } from '../../shared/api/app-error';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/review';
import { Panel } from '../../shared/ui/Card';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Checkbox } from '../../shared/ui/Field';
import { toast } from '../../shared/ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';

export function RequireReviewPanel() {
  const workspace = useWorkspace();
  const reason = useReason()(MutationWorkspaceReviewSet);
  const [set] = useWorkspaceReviewSetMutation();
  const [error, setError] = useState<AppError | null>(null);
  // While the mutation is in flight.
  const [pendingValue, setPendingValue] = useState<boolean | null>(null);
  const save = async (requireReview: boolean) => {
    if (pendingValue !== null) return;
    setPendingValue(requireReview);
    const outcome = await runMutation(
      set({ variables: { id: workspace.id, expectedVersion: workspace.version, requireReview } }),
    );
    setPendingValue(null);
    setError(outcome.ok ? null : outcome.error);
    if (outcome.ok) toast(requireReview ? t.setting.on : t.setting.off);
  };
  return (
    <Panel title={t.setting.title}>
      <div className="grid gap-4">
        {error ? <ErrorNote error={error} /> : null}
        <Checkbox
          label={t.setting.label}
          hint={reason ? `${t.setting.hint} ${reason}` : t.setting.hint}
          checked={pendingValue ?? workspace.requireReview}
          disabled={reason !== null}
          onChange={event => void save(event.target.checked)}
        />
      </div>
    </Panel>
  );
}
