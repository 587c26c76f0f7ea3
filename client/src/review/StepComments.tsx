import { useState } from 'react';
import { t } from '../texts/review';
import { useTour } from '../tour/tour-context';
import { Button } from '../ui/Button';
import { Panel } from '../ui/Card';
import { CommentForm } from './CommentForm';
import { CommentItem } from './CommentItem';
import { openOn } from './open-comments';

/** Beside a step in the editor: what is open of what people say about it. */
export function StepComments({ stepKey, index, saved }: { stepKey: string; index: number; saved: boolean }) {
  const { draft } = useTour();
  const [writing, setWriting] = useState(false);
  const open = openOn(draft.comments, stepKey);
  return (
    <Panel title={t.comments.onStep(index + 1)}>
      <div className="grid gap-4">
        {open.length > 0 ? (
          <ul aria-label={t.comments.list} className="grid gap-4">
            {open.map(comment => (
              <CommentItem key={comment.id} comment={comment} revision={draft} withStep={false} />
            ))}
          </ul>
        ) : (
          <p className="text-muted">{t.comments.noneOnStep}</p>
        )}
        {writing ? (
          <CommentForm
            revision={draft}
            step={stepKey}
            unready={saved ? null : t.comments.saveFirst}
          />
        ) : (
          <div>
            <Button size="small" icon="comment" onClick={() => setWriting(true)}>
              {t.comments.write}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
