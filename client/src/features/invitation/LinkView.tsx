import { t } from '../../shared/i18n/en/invitation';
import { formatDateTime } from '../../shared/i18n/format';
import { paths } from '../../shared/lib/paths';
import { Dialog } from '../../shared/ui/Dialog';
import { OneTimeSecret } from '../../shared/ui/OneTimeSecret';

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
  return (
    <OneTimeSecret
      value={`${window.location.origin}${paths.invite}#${token}`}
      texts={t.link}
      hint={t.link.hint(formatDateTime(invitation.expiresAt))}
      onDone={onDone}
    />
  );
}
