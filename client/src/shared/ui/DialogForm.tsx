import type { ReactNode } from 'react';
import { t } from '../i18n/en/common';
import type { Form } from '../lib/use-form';
import { Button } from './Button';
import { Actions } from './Dialog';
import { ErrorNote } from './ErrorPanel';

/** The form of a dialog: its fields, the error of the last attempt to send it, and its buttons. */
export function DialogForm({
  form,
  action,
  onCancel,
  children,
}: {
  form: Pick<Form<object>, 'submit' | 'error' | 'busy'>;
  /** The label of the button that sends the form. */
  action: string;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {form.error ? <ErrorNote error={form.error} /> : null}
      {children}
      <Actions>
        <Button onClick={onCancel}>{t.cancel}</Button>
        <Button variant="primary" type="submit" busy={form.busy}>
          {action}
        </Button>
      </Actions>
    </form>
  );
}
