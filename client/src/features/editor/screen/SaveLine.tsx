import type { ReactNode } from 'react';
import { t as common } from '../../../shared/i18n/en/common';
import { t } from '../../../shared/i18n/en/editor';
import { StatusDot } from '../../../shared/ui/Badge';
import { Button } from '../../../shared/ui/Button';
import type { EditorState } from '../model/editor';

export function SaveLine({
  state,
  readOnly,
  reason,
  onRetry,
  onReview,
}: {
  state: EditorState;
  readOnly: boolean;
  /** Null if another note shows the reason. */
  reason: string | null;
  onRetry: () => void;
  onReview: () => void;
}) {
  return (
    <div role="status" className="flex min-h-10 flex-wrap items-center gap-2 text-sm text-muted">
      {reason ? <StatusDot tone="plain">{reason}</StatusDot> : null}
      {readOnly ? null : <SaveStatus state={state} onRetry={onRetry} onReview={onReview} />}
      {state.restored ? <span>{t.save.restored}</span> : null}
      {state.mergedFrom === null ? null : <span>{t.save.merged(state.mergedFrom)}</span>}
    </div>
  );
}

function SaveStatus({
  state: { save, storedLocally },
  onRetry,
  onReview,
}: {
  state: EditorState;
  onRetry: () => void;
  onReview: () => void;
}): ReactNode {
  const storage = storedLocally ? t.save.kept : t.save.storageFull;
  switch (save.kind) {
    case 'saved':
      return <StatusDot tone="ok">{t.save.saved}</StatusDot>;
    case 'pending':
    case 'sending':
      return (
        <StatusDot tone="brand" live>
          {t.save.saving}
        </StatusDot>
      );
    case 'invalid':
      return (
        <StatusDot tone="signal">
          {t.save.invalid(save.violations.length)} {storage}
        </StatusDot>
      );
    case 'retrying':
      return (
        <>
          <StatusDot tone="signal" live>
            {t.save.failed(save.error.message)} {storage} {t.save.again}
          </StatusDot>
          <Button size="small" onClick={onRetry}>
            {t.save.saveNow}
          </Button>
        </>
      );
    case 'conflict':
      return (
        <>
          <StatusDot tone="danger">
            {t.save.conflict(save.theirs.author)} {storage}
          </StatusDot>
          <Button size="small" onClick={onReview}>
            {t.save.review}
          </Button>
        </>
      );
    case 'rejected':
      return (
        <>
          <StatusDot tone="danger">
            {t.save.failed(save.error.message)} {storage}
          </StatusDot>
          <Button size="small" onClick={onRetry}>
            {common.tryAgain}
          </Button>
        </>
      );
    default:
      return save satisfies never;
  }
}
