import { useState } from 'react';
import { useVisitorCountQuery, useVisitorsEraseMutation } from '../../generated/hooks';
import type { VisitorFilterInput } from '../../generated/operations';
import { evictQuery } from '../../shared/api/cache';
import { client } from '../../shared/api/client';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/visitor';
import { Confirm } from '../../shared/ui/Confirm';
import { Checkbox, Field, Input } from '../../shared/ui/Field';
import { toast } from '../../shared/ui/toast';

const MAX_COUNT = 10_000;

interface Values {
  readonly from: string;
  readonly until: string;
  readonly anonymous: boolean;
  readonly unfinished: boolean;
}

/** Returns null while the times are incomplete or in the wrong order. Times are local. */
function filterOf({ from, until, anonymous, unfinished }: Values): VisitorFilterInput | null {
  const [start, end] = [new Date(from), new Date(until)];
  if (!(start < end)) return null;
  return { firstSeenFrom: start.toISOString(), firstSeenUntil: end.toISOString(), anonymous, unfinished };
}

/** A script may have invented the visitors. */
export function PurgeDialog({ siteId, onClose }: { siteId: string; onClose: () => void }) {
  const [values, setValues] = useState<Values>({ from: '', until: '', anonymous: true, unfinished: true });
  const set = (patch: Partial<Values>) => setValues(current => ({ ...current, ...patch }));
  const filter = filterOf(values);
  const counting = useVisitorCountQuery({
    variables: { siteId, filter: filter ?? { firstSeenFrom: '', firstSeenUntil: '' } },
    skip: filter === null,
    fetchPolicy: 'network-only',
  });
  const count = filter ? (counting.data?.visitorCount ?? null) : 0;
  const [erase] = useVisitorsEraseMutation();
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t.purge.title}
      action={t.purge.action(count ?? 0)}
      reason={count ? null : t.purge.none}
      fields={
        <div className="grid gap-4">
          <Field label={t.purge.from}>
            <Input type="datetime-local" value={values.from} onChange={event => set({ from: event.target.value })} />
          </Field>
          <Field label={t.purge.until} error={values.from && values.until && !filter ? t.purge.order : null}>
            <Input type="datetime-local" value={values.until} onChange={event => set({ until: event.target.value })} />
          </Field>
          <Checkbox
            label={t.purge.anonymous}
            hint={t.purge.anonymousHint}
            checked={values.anonymous}
            onChange={event => set({ anonymous: event.target.checked })}
          />
          <Checkbox
            label={t.purge.unfinished}
            hint={t.purge.unfinishedHint}
            checked={values.unfinished}
            onChange={event => set({ unfinished: event.target.checked })}
          />
          <p role="status" className="font-medium">
            {filter === null ? '' : countText(count)}
          </p>
        </div>
      }
      onConfirm={async () => {
        if (!filter) return null;
        const outcome = await runMutation(erase({ variables: { siteId, filter } }));
        if (!outcome.ok) return outcome.error;
        toast(t.purge.done(outcome.data.visitorsErase));
        for (const query of ['visitors', 'runs'] as const) {
          evictQuery(client.cache, query);
        }
        return null;
      }}
    >
      {t.purge.text}
    </Confirm>
  );
}

function countText(count: number | null): string {
  if (count === null) return t.purge.counting;
  if (count === 0) return t.purge.none;
  return count === MAX_COUNT ? t.purge.foundMore(MAX_COUNT) : t.purge.found(count);
}
