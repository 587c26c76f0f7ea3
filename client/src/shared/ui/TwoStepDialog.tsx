import { useState, type ReactNode } from 'react';
import { Dialog } from './Dialog';

interface Step {
  title: string;
  description: string;
  children: ReactNode;
}

/** Shows a form, and then what it has created, such as a secret that cannot be read again. */
export function TwoStepDialog<Created extends object>({
  open,
  onOpenChange,
  form,
  result,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  form: (onCancel: () => void, onCreated: (created: Created) => void) => Step;
  result: (created: Created, onDone: () => void) => Step;
}) {
  const [created, setCreated] = useState<Created | null>(null);
  const change = (next: boolean) => {
    setCreated(null);
    onOpenChange(next);
  };
  const close = () => change(false);
  return <Dialog open={open} onOpenChange={change} {...(created ? result(created, close) : form(close, setCreated))} />;
}
