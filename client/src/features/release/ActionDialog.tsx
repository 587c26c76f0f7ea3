import { useState, type FormEvent, type ReactNode } from 'react';
import type { ReleasePlanInput } from '../../generated/operations';
import { ReleaseAdjustInputRules } from '../../generated/rules';
import type { AppError } from '../../shared/api/app-error';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/release';
import { Button } from '../../shared/ui/Button';
import { Actions, Dialog } from '../../shared/ui/Dialog';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Checkbox, Field, Input } from '../../shared/ui/Field';
import type { PendingAction } from './format-impact';
import { ImpactPanel } from './ImpactPanel';

export interface Decision {
  readonly note: string | null;
  readonly endActiveRuns: boolean;
}

export function ActionDialog({
  open,
  onOpenChange,
  ...rest
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: string;
  action: string;
  danger?: boolean;
  /** `endActiveRuns` is a field of the dialog. */
  plan: Omit<ReleasePlanInput, 'endActiveRuns'>;
  pendingAction: (decision: Pick<Decision, 'endActiveRuns'>) => PendingAction;
  mayEndRuns?: boolean;
  fields?: ReactNode;
  problem?: string | null;
  onDecide: (decision: Decision) => Promise<AppError | null>;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={rest.title} description={rest.text}>
      <ActionForm {...rest} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ActionForm({
  action,
  danger = false,
  plan,
  pendingAction,
  mayEndRuns = false,
  fields,
  problem = null,
  onDecide,
  onDone,
}: Omit<Parameters<typeof ActionDialog>[0], 'open' | 'onOpenChange'> & { onDone: () => void }) {
  const [note, setNote] = useState('');
  const [endActiveRuns, setEndActiveRuns] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const isStop = pendingAction({ endActiveRuns }).kind === 'end';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || problem !== null) return;
    setBusy(true);
    const failure = await onDecide({ note: note.trim() || null, endActiveRuns });
    setBusy(false);
    setError(failure);
    if (!failure) onDone();
  };
  return (
    <form onSubmit={event => void submit(event)} noValidate className="grid gap-4">
      {error ? <ErrorNote error={error} /> : null}
      {fields}
      {mayEndRuns ? (
        <Checkbox
          label={isStop ? t.terms.stopActiveRuns : t.terms.endActiveRuns}
          hint={isStop ? t.terms.stopActiveRunsHint : t.terms.endActiveRunsHint}
          checked={endActiveRuns}
          onChange={event => setEndActiveRuns(event.target.checked)}
        />
      ) : null}
      <ImpactPanel plan={{ ...plan, endActiveRuns }} pendingAction={pendingAction({ endActiveRuns })} />
      <Field label={t.dialog.note} hint={t.actions.noteHint} optional>
        <Input
          value={note}
          maxLength={ReleaseAdjustInputRules.fields.note.length.max}
          onChange={event => setNote(event.target.value)}
        />
      </Field>
      <Actions>
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button variant={danger ? 'danger' : 'primary'} type="submit" busy={busy}>
          {action}
        </Button>
      </Actions>
    </form>
  );
}
