import { MutationTourArchive, MutationTourRestore } from '../../generated/fields';
import { useTourArchiveMutation, useTourRestoreMutation } from '../../generated/hooks';
import type { ToursQuery } from '../../generated/operations';
import { evictQuery } from '../../shared/api/cache';
import { client } from '../../shared/api/client';
import { type Outcome, runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/tour';
import { Button } from '../../shared/ui/Button';
import { useCommands } from '../../shared/ui/commands';
import { toast } from '../../shared/ui/toast';
import { useReason } from '../workspace/workspace-context';

type Tour = ToursQuery['tours']['nodes'][number];

interface Result {
  readonly done: readonly Tour[];
  readonly failed: readonly Tour[];
  /** The reason of the first failure. */
  readonly reason: string;
}

/** Archives the selected tours, or restores them if all are archived. */
export function TourSelection({ tours, onClear }: { tours: readonly Tour[]; onClear: () => void }) {
  const reasonFor = useReason();
  const [archive, { loading: archiving }] = useTourArchiveMutation();
  const [restore, { loading: restoring }] = useTourRestoreMutation();
  const open = tours.filter(({ status }) => status !== 'ARCHIVED');
  const isArchived = open.length === 0;
  const live = tours.filter(({ status }) => status === 'LIVE' || status === 'PAUSED').map(({ title }) => title);
  const reason = isArchived
    ? reasonFor(MutationTourRestore)
    : (reasonFor(MutationTourArchive) ?? (live.length > 0 ? t.selection.live(live) : null));

  const restoreAll = async (restored: readonly Tour[]) => {
    const result = await changeAll(restored, ({ id }) => runMutation(restore({ variables: { id } })));
    report(result, t.selection.restored(result.done.length));
  };
  const change = async () => {
    if (isArchived) await restoreAll(tours);
    else {
      const result = await changeAll(open, ({ id }) => runMutation(archive({ variables: { id } })));
      const undo = { label: t.selection.undo, run: () => void restoreAll(result.done) };
      report(result, t.selection.archived(result.done.length), undo);
    }
    onClear();
  };
  const name = isArchived ? t.selection.restore : t.selection.archive;
  const icon = isArchived ? 'undo' : 'trash';
  useCommands([
    { id: 'tours.selected', name, group: t.list.title, icon, reason, run: () => void change() },
    { id: 'tours.clear', name: t.selection.clear, group: t.list.title, icon: 'close', run: onClear },
  ]);
  return (
    <div role="group" aria-label={t.selection.label} className="flex flex-wrap items-center gap-2">
      <p role="status" className="mr-2 text-sm font-medium tabular-nums">
        {t.selection.count(tours.length)}
      </p>
      <Button size="small" icon={icon} reason={reason} busy={archiving || restoring} onClick={() => void change()}>
        {isArchived ? t.frame.restore : t.frame.archive}
      </Button>
      <Button size="small" variant="ghost" onClick={onClear}>
        {t.selection.clear}
      </Button>
    </div>
  );
}

/** Changes one tour after the other. */
async function changeAll(tours: readonly Tour[], change: (tour: Tour) => Promise<Outcome<unknown>>): Promise<Result> {
  const done: Tour[] = [];
  const failed: Tour[] = [];
  let reason = '';
  for (const tour of tours) {
    // oxlint-disable-next-line no-await-in-loop -- each change locks the database for the others
    const outcome = await change(tour);
    if (outcome.ok) done.push(tour);
    else {
      failed.push(tour);
      reason ||= outcome.error.message;
    }
  }
  evictQuery(client.cache, 'tours');
  return { done, failed, reason };
}

function report({ done, failed, reason }: Result, text: string, undo?: { label: string; run: () => void }): void {
  if (failed.length > 0)
    toast(
      t.selection.failed(
        failed.map(({ title }) => title),
        reason,
      ),
      { tone: 'danger' },
    );
  if (done.length > 0) toast(text, undo ? { action: undo } : {});
}
