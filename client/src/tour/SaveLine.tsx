import type { ReactNode } from 'react';
import { plural } from '../lib/format';
import { Light } from '../ui/Badge';
import { Button } from '../ui/Button';
import type { EditorState } from './editor';

/** Says where the work is: on the server, on its way, or on this device only. */
export function SaveLine({
  state,
  readOnly,
  onRetry,
  onReview,
}: {
  state: EditorState;
  readOnly: string | null;
  onRetry: () => void;
  onReview: () => void;
}) {
  return (
    <div
      role="status"
      data-save={state.save.kind}
      className="flex min-h-10 flex-wrap items-center gap-2 text-sm text-muted"
    >
      {readOnly ? (
        <Light tone="plain">{readOnly}</Light>
      ) : (
        <Words state={state} onRetry={onRetry} onReview={onReview} />
      )}
      {state.restored ? <span>Your unsaved changes of the last visit are back.</span> : null}
      {state.joined === null ? null : <span>{state.joined} saved changes meanwhile; yours and theirs are put together.</span>}
    </div>
  );
}

function Words({
  state: { save, kept },
  onRetry,
  onReview,
}: {
  state: EditorState;
  onRetry: () => void;
  onReview: () => void;
}): ReactNode {
  const where = kept
    ? 'Kept on this device.'
    : 'This device has no room to keep it: leave this page open until it is saved.';
  switch (save.kind) {
    case 'saved':
      return <Light tone="ok">All changes are saved</Light>;
    case 'pending':
    case 'sending':
      return (
        <Light tone="brand" live>
          Saving…
        </Light>
      );
    case 'held':
      return (
        <Light tone="signal">
          Not saved yet: {plural(save.violations.length, 'field')} to correct. {where}
        </Light>
      );
    case 'waiting':
      return (
        <>
          <Light tone="signal" live>
            Not saved: {save.error.message} {where} It is tried again by itself.
          </Light>
          <Button size="small" onClick={onRetry}>
            Save now
          </Button>
        </>
      );
    case 'conflict':
      return (
        <>
          <Light tone="danger">
            Not saved: {save.theirs.author} saved a newer version. {where}
          </Light>
          <Button size="small" onClick={onReview}>
            Review the difference
          </Button>
        </>
      );
    case 'refused':
      return (
        <>
          <Light tone="danger">
            Not saved: {save.error.message} {where}
          </Light>
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        </>
      );
    default:
      return save satisfies never;
  }
}
