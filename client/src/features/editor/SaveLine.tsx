import type { ReactNode } from 'react';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/editor';
import { Light } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import type { EditorState } from './editor';

/** Shows the save state: saved, saving, or stored locally only. */
export function SaveLine({
  state,
  readOnly,
  reason,
  onRetry,
  onReview,
}: {
  state: EditorState;
  readOnly: boolean;
  /** The reason why the editor is read-only, unless another note on the screen shows it. */
  reason: string | null;
  onRetry: () => void;
  onReview: () => void;
}) {
  return (
    <div role="status" className="flex min-h-10 flex-wrap items-center gap-2 text-sm text-muted">
      {reason ? <Light tone="plain">{reason}</Light> : null}
      {readOnly ? null : <SaveStatus state={state} onRetry={onRetry} onReview={onReview} />}
      {state.restored ? <span>{t.save.restored}</span> : null}
      {state.mergedFrom === null ? null : <span>{t.save.joined(state.mergedFrom)}</span>}
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
  const storage = storedLocally ? t.save.kept : t.save.noRoom;
  switch (save.kind) {
    case 'saved':
      return <Light tone="ok">{t.save.saved}</Light>;
    case 'pending':
    case 'sending':
      return (
        <Light tone="brand" live>
          {t.save.saving}
        </Light>
      );
    case 'invalid':
      return (
        <Light tone="signal">
          {t.save.held(save.violations.length)} {storage}
        </Light>
      );
    case 'retrying':
      return (
        <>
          <Light tone="signal" live>
            {t.save.failed(save.error.message)} {storage} {t.save.again}
          </Light>
          <Button size="small" onClick={onRetry}>
            {t.save.saveNow}
          </Button>
        </>
      );
    case 'conflict':
      return (
        <>
          <Light tone="danger">
            {t.save.conflict(save.theirs.author)} {storage}
          </Light>
          <Button size="small" onClick={onReview}>
            {t.save.review}
          </Button>
        </>
      );
    case 'rejected':
      return (
        <>
          <Light tone="danger">
            {t.save.failed(save.error.message)} {storage}
          </Light>
          <Button size="small" onClick={onRetry}>
            {common.tryAgain}
          </Button>
        </>
      );
    default:
      return save satisfies never;
  }
}
