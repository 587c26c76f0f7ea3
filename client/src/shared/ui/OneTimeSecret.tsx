import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from './Button';
import { CopyButton } from './CopyButton';
import { Actions } from './Dialog';
import { Field, Input } from './Field';

export function OneTimeSecret({
  value,
  texts,
  hint,
  children,
  onDone,
}: {
  value: string;
  texts: { readonly label: string; readonly copy: string; readonly done: string };
  hint?: string;
  /** Below the secret. */
  children?: ReactNode;
  onDone: () => void;
}) {
  // In most dialogs, a form with the focus was just removed.
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <div className="grid gap-4">
      <Field label={texts.label} {...(hint === undefined ? {} : { hint })}>
        <Input ref={input} readOnly value={value} className="font-mono" onFocus={event => event.target.select()} />
      </Field>
      <div>
        <CopyButton text={value} label={texts.copy} />
      </div>
      {children}
      <Actions>
        <Button variant="primary" onClick={onDone}>
          {texts.done}
        </Button>
      </Actions>
    </div>
  );
}
