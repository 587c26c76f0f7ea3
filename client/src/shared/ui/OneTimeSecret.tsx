import { use, useEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../i18n/en/ui';
import { Button } from './Button';
import { CloseGuard } from './close-guard';
import { CopyButton } from './CopyButton';
import { Actions } from './Dialog';
import { Field, Input } from './Field';

/** Belongs into a dialog. The first attempt to close that without a copy shows a warning instead. */
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
  /** The content below the secret. */
  children?: ReactNode;
  onDone: () => void;
}) {
  // In most dialogs, a form with the focus was just removed.
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const register = use(CloseGuard);
  useEffect(
    () =>
      register?.(() => {
        if (!copied && !asking) setAsking(true);
        return copied || asking;
      }),
    [register, copied, asking],
  );
  return (
    <div className="grid gap-4">
      <Field label={texts.label} {...(hint === undefined ? {} : { hint })}>
        <Input
          ref={input}
          readOnly
          value={value}
          className="font-mono"
          // The start identifies the secret, but browsers scroll to the end of a selection.
          onFocus={({ target }) => {
            target.setSelectionRange(0, target.value.length, 'backward');
            target.scrollLeft = 0;
          }}
          onCopy={() => setCopied(true)}
        />
      </Field>
      {children}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {asking && !copied ? t.secret.notCopied : null}
      </p>
      <Actions>
        <Button
          variant={asking && !copied ? 'danger' : 'secondary'}
          onClick={() => {
            if (copied || asking) onDone();
            else setAsking(true);
          }}
        >
          {asking && !copied ? t.secret.close : texts.done}
        </Button>
        <CopyButton text={value} label={texts.copy} variant="primary" size="medium" onCopied={() => setCopied(true)} />
      </Actions>
    </div>
  );
}
