import { useEffect, useRef } from 'react';
import { t } from '../../shared/i18n/en/invitation';
import { formatDateTime } from '../../shared/i18n/format';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { CopyButton } from '../../shared/ui/CopyButton';
import { Actions, Dialog } from '../../shared/ui/Dialog';
import { Field, Input } from '../../shared/ui/Field';

export interface NewLink {
  readonly token: string;
  readonly invitation: { readonly email: string; readonly expiresAt: string };
}

export function LinkDialog({ link, onClose }: { link: NewLink | null; onClose: () => void }) {
  return (
    <Dialog
      open={link !== null}
      onOpenChange={onClose}
      title={t.link.title}
      description={link ? t.link.description(link.invitation.email) : null}
    >
      {link ? <LinkView link={link} onDone={onClose} /> : null}
    </Dialog>
  );
}

export function LinkView({ link: { token, invitation }, onDone }: { link: NewLink; onDone: () => void }) {
  const address = `${window.location.origin}${paths.invite}#${token}`;
  // The form with the focus was removed.
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <div className="grid gap-4">
      <Field label={t.link.label} hint={t.link.hint(formatDateTime(invitation.expiresAt))}>
        <Input ref={input} readOnly value={address} className="font-mono" onFocus={event => event.target.select()} />
      </Field>
      <div>
        <CopyButton text={address} label={t.link.copy} />
      </div>
      <Actions>
        <Button variant="primary" onClick={onDone}>
          {t.link.done}
        </Button>
      </Actions>
    </div>
  );
}
