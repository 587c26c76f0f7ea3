import { useRef, useState } from 'react';
import type { CommentRow_CommentFragment } from '../../generated/operations';
import { t } from '../../shared/i18n/en/review';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { useTour } from '../tour/tour-context';
import { CommentForm } from './CommentForm';
import { CommentItem } from './CommentItem';
import { openStepComments, openTourComments } from './comments';

export function StepComments({ stepKey, index, saved }: { stepKey: string; index: number; saved: boolean }) {
  const { comments } = useTour().draft;
  return (
    <OpenComments
      title={t.comments.onStep(index + 1)}
      none={t.comments.noneOnStep}
      open={openStepComments(comments, stepKey)}
      step={stepKey}
      notReadyReason={saved ? null : t.comments.saveFirst}
    />
  );
}

/** `keys` are the keys of existing steps. Comments on removed steps are shown here too. */
export function TourComments({ keys }: { keys: readonly string[] }) {
  const { comments } = useTour().draft;
  return (
    <OpenComments
      title={t.comments.onTour}
      none={t.comments.noneOnTour}
      open={openTourComments(comments, keys)}
      step={null}
      notReadyReason={null}
    />
  );
}

function OpenComments({
  title,
  none,
  open,
  step,
  notReadyReason,
}: {
  title: string;
  none: string;
  open: readonly CommentRow_CommentFragment[];
  step: string | null;
  notReadyReason: string | null;
}) {
  const { draft } = useTour();
  const form = useRef<HTMLDivElement>(null);
  const [formOpen, setFormOpen] = useState(false);
  return (
    <Panel title={title}>
      <div className="grid gap-4">
        {open.length > 0 ? (
          <ul aria-label={t.comments.list} className="grid gap-4">
            {open.map(comment => (
              <CommentItem
                key={comment.id}
                comment={comment}
                revision={draft}
                fallbackFocus={form}
                withStep={step === null}
              />
            ))}
          </ul>
        ) : (
          <p className="text-muted">{none}</p>
        )}
        <div ref={form}>
          {formOpen ? (
            <CommentForm revision={draft} step={step} notReadyReason={notReadyReason} />
          ) : (
            <Button size="small" icon="comment" onClick={() => setFormOpen(true)}>
              {t.comments.write}
            </Button>
          )}
        </div>
      </div>
    </Panel>
  );
}
