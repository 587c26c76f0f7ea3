import { useState } from 'react';
import { MutationWorkspaceRetentionSet } from '../../generated/fields';
import {
  useRetentionPreviewQuery,
  useWorkspaceRetentionQuery,
  useWorkspaceRetentionSetMutation,
} from '../../generated/hooks';
import type { RetentionDays_RetentionFragment, RetentionPreviewQuery } from '../../generated/operations';
import { RetentionInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import type { AppError } from '../../shared/api/app-error';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/settings';
import { formatList } from '../../shared/i18n/format';
import { useDebouncedValue } from '../../shared/lib/hooks';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Input } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { toast } from '../../shared/ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';

type Days = Pick<RetentionDays_RetentionFragment, 'visitorDays' | 'runDays' | 'auditDays'>;
type Field = keyof Days;
type Values = Readonly<Record<Field, string>>;

const FIELDS: readonly Field[] = ['visitorDays', 'runDays', 'auditDays'];

export function RetentionPanel() {
  const { slug } = useWorkspace();
  const result = useWorkspaceRetentionQuery({ variables: { slug } });
  return (
    <Panel title={t.retention.title} description={t.retention.description}>
      <Loaded result={result} label={t.retention.loading} rows={3}>
        {({ workspace }) => (workspace ? <RetentionForm days={workspace.retention} /> : null)}
      </Loaded>
    </Panel>
  );
}

const daysOf = (value: string): number => (value.trim() === '' ? Number.NaN : Number(value));

const inputOf = ({ visitorDays, runDays, auditDays }: Values): Days => ({
  visitorDays: daysOf(visitorDays),
  runDays: daysOf(runDays),
  auditDays: daysOf(auditDays),
});

function RetentionForm({ days }: { days: Days }) {
  const { id, version } = useWorkspace();
  const reason = useReason()(MutationWorkspaceRetentionSet);
  const [set] = useWorkspaceRetentionSetMutation();
  const [confirming, setConfirming] = useState(false);
  const check = (values: Values) => checkInput(RetentionInputRules, inputOf(values));
  const save = async (values: Values): Promise<AppError | null> => {
    const outcome = await runMutation(set({ variables: { id, expectedVersion: version, input: inputOf(values) } }));
    if (!outcome.ok) return outcome.error;
    toast(t.retention.saved);
    return null;
  };
  const form = useForm<Values>({
    initial: {
      visitorDays: String(days.visitorDays),
      runDays: String(days.runDays),
      auditDays: String(days.auditDays),
    },
    check,
    send: async values => {
      if (isCounted && deleted === null) return save(values);
      setConfirming(true);
      return null;
    },
  });
  const isValid = check(form.values).length === 0;
  const settled = useDebouncedValue(form.values);
  const preview = useRetentionPreviewQuery({
    variables: { workspaceId: id, input: inputOf(settled) },
    skip: reason !== null || !isValid || check(settled).length > 0,
    fetchPolicy: 'network-only',
  });
  const isSettled = FIELDS.every(field => settled[field] === form.values[field]);
  const isCounted = isValid && isSettled && !preview.loading && preview.data !== undefined;
  const deleted = isCounted && preview.data ? deletedText(preview.data.retentionPreview) : null;
  const isChanged = FIELDS.some(field => form.values[field].trim() !== String(days[field]));
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {form.error ? <ErrorNote error={form.error} /> : null}
      {FIELDS.map(field => (
        <Field
          key={field}
          label={t.retention.fields[field]}
          hint={t.retention.hints[field]}
          error={form.problem(field)}
        >
          <Input
            type="number"
            inputMode="numeric"
            className="max-w-32"
            value={form.values[field]}
            readOnly={reason !== null}
            onChange={event => form.set({ [field]: event.target.value })}
            onBlur={() => form.touch(field)}
          />
        </Field>
      ))}
      {reason === null ? (
        <p role="status" className="text-sm">
          {isValid && !preview.error ? statusText(isCounted, deleted) : ''}
        </p>
      ) : null}
      <div className="flex justify-end">
        <Button
          variant="primary"
          type="submit"
          busy={form.busy}
          reason={reason ?? (isChanged ? null : common.nothingChanged)}
        >
          {t.retention.save}
        </Button>
      </div>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.retention.confirmTitle}
        action={t.retention.confirm}
        onConfirm={() => save(form.values)}
      >
        {deleted === null ? t.retention.confirmUncounted : t.retention.confirmText(deleted)}
      </Confirm>
    </form>
  );
}

function statusText(isCounted: boolean, deleted: string | null): string {
  if (!isCounted) return t.retention.counting;
  return deleted === null ? t.retention.nothing : t.retention.now(deleted);
}

/** Returns null if nothing would be deleted. */
function deletedText({ visitors, runs, auditEntries }: RetentionPreviewQuery['retentionPreview']): string | null {
  const counts = [
    visitors > 0 && t.retention.visitors(visitors),
    runs > 0 && t.retention.runs(runs),
    auditEntries > 0 && t.retention.auditEntries(auditEntries),
  ].filter(text => text !== false);
  return counts.length === 0 ? null : formatList(counts);
}
