import { useState, type ReactNode } from 'react';
import type { AppError } from '../api/app-error';
import { t as common } from '../i18n/en/common';
import { Button } from './Button';
import { Actions, Dialog } from './Dialog';
import { ErrorNote } from './ErrorPanel';

/** Stays open and shows the error if the action fails. */
export function Confirm({
  open,
  onOpenChange,
  title,
  action,
  danger = true,
  reason = null,
  fields,
  onConfirm,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  action: string;
  danger?: boolean;
  /** The action is disabled. */
  reason?: string | null;
  /** The fields above the buttons. */
  fields?: ReactNode;
  /** Returns the error. */
  onConfirm: () => Promise<AppError | null>;
  children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const change = (next: boolean) => {
    setError(null);
    onOpenChange(next);
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title} description={children}>
      {fields}
      {error ? <ErrorNote error={error} /> : null}
      <Actions>
        <Button onClick={() => change(false)}>{common.cancel}</Button>
        <Button
          variant={danger ? 'danger' : 'primary'}
          busy={busy}
          reason={reason}
          onClick={async () => {
            setBusy(true);
            const failure = await onConfirm();
            setBusy(false);
            setError(failure);
            if (!failure) onOpenChange(false);
          }}
        >
          {action}
        </Button>
      </Actions>
    </Dialog>
  );
}
