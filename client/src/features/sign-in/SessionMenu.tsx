/** Account, role and end of the session, with renewal and sign-out. */
import { useState } from 'react';
import { t } from '../../shared/i18n/en/auth';
import { clockTimeOrDate } from '../../shared/i18n/format';
import { Button } from '../../shared/ui/Button';
import { Dialog } from '../../shared/ui/Dialog';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/Menu';
import { toast } from '../../shared/ui/toast';
import { currentPath } from './return-to';
import { type ManualRenewal, renewManually, signOutAndLeave } from './session';
import { type SignInProblem, watchSlow } from './sign-in-problem';
import { SignInChoices } from './SignInChoices';
import { type Session, useAccountName, useSession } from './use-session';

interface Props {
  /** From the server, not the token. */
  role?: string | null;
}

/** A failed renewal of the session that ends at `endsAt` (milliseconds since 1970). */
interface Failure {
  problem: SignInProblem;
  endsAt: number;
}

export function SessionMenu({ role }: Props) {
  const session = useSession();
  return 'account' in session ? <AccountMenu session={session} role={role ?? null} /> : null;
}

interface AccountMenuProps {
  session: Extract<Session, { account: unknown }>;
  role: string | null;
}

function AccountMenu({ session, role }: AccountMenuProps) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const { account, endsAt, hasRefreshToken, renewsInFrame, problem } = session;
  const name = useAccountName(account);
  const renewalText = problem
    ? t.menu.notRenewed
    : hasRefreshToken || renewsInFrame
      ? t.menu.renewsAutomatically
      : t.menu.signInAgain;

  const renew = async (renewal: ManualRenewal) => {
    const fail = (reason: SignInProblem) => setFailure({ problem: reason, endsAt: endsAt.getTime() });
    const renewed = renewManually(renewal, () => fail({ kind: 'popupClosed' }));
    const failed = await (renewal === 'window' ? renewed : watchSlow(renewed, () => fail({ kind: 'slow' })));
    if (failed) fail(failed);
    else toast(t.menu.renewed[renewal]);
  };
  // Renewed in another way, or SessionNotice is shown.
  const shownProblem = session.kind === 'signed-in' && failure?.endsAt === endsAt.getTime() ? failure.problem : null;

  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" icon="account" aria-label={t.menu.sessionOf(name)}>
            <span className="hidden max-w-40 truncate sm:inline">{name ?? t.menu.account}</span>
          </Button>
        }
      >
        <MenuLabel>
          <span className="block text-sm font-semibold text-ink">{name ?? t.menu.account}</span>
          {account.email && account.email !== name ? <span className="block">{account.email}</span> : null}
          {role ? <span className="block">{t.menu.roleHere(role)}</span> : null}
        </MenuLabel>
        <MenuSeparator />
        <MenuLabel>
          <span className="block">{t.menu.signedInWith(account.provider)}</span>
          <span className="block">
            {t.menu.until(<time dateTime={endsAt.toISOString()}>{clockTimeOrDate(endsAt)}</time>, renewalText)}
          </span>
        </MenuLabel>
        <MenuItem icon="refresh" reason={renewsInFrame ? null : t.menu.noFrame} onSelect={() => void renew('frame')}>
          {t.menu.byFrame}
        </MenuItem>
        <MenuItem
          icon="refresh"
          reason={hasRefreshToken ? null : t.menu.noToken}
          onSelect={() => void renew('refresh-token')}
        >
          {t.menu.byToken}
        </MenuItem>
        <MenuItem icon="refresh" onSelect={() => void renew('window')}>
          {t.menu.byWindow}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="right" onSelect={() => void signOutAndLeave()}>
          {t.menu.signOut}
        </MenuItem>
      </Menu>
      {shownProblem ? (
        <Dialog
          open
          onOpenChange={() => setFailure(null)}
          title={shownProblem.kind === 'slow' ? t.menu.slow : t.menu.failed}
          description={t.menu.failedText(clockTimeOrDate(endsAt), name)}
        >
          <SignInChoices returnTo={currentPath()} problem={shownProblem} canSignOut />
        </Dialog>
      ) : null}
    </>
  );
}
