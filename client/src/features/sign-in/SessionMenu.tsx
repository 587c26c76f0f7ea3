/** A menu with the account, its role and the end of the session. It renews the session manually and signs out. */
import { useState } from 'react';
import { t } from '../../shared/i18n/en/auth';
import { clockTimeWithSeconds } from '../../shared/i18n/format';
import { Button } from '../../shared/ui/Button';
import { Dialog } from '../../shared/ui/Dialog';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/Menu';
import { toast } from '../../shared/ui/toast';
import { currentPath } from './return-to';
import { type ManualRenewal, renewManually, signOut } from './session';
import type { SignInProblem } from './sign-in-problem';
import { SignInChoices } from './SignInChoices';
import { useSession } from './use-session';

interface Props {
  /** The name of the member's role in the workspace, from the server, not from the token. */
  role?: string | null;
}

/** A failed renewal of the session that ends at `endsAt` (milliseconds since 1970). */
interface Failure {
  problem: SignInProblem;
  endsAt: number;
}

export function SessionMenu({ role }: Props) {
  const session = useSession();
  const [failure, setFailure] = useState<Failure | null>(null);
  if (session.kind === 'loading' || session.kind === 'signed-out') return null;
  const { account, endsAt, hasRefreshToken, renewsInFrame, problem } = session;
  const renewalText = problem
    ? t.menu.notRenewed
    : hasRefreshToken || renewsInFrame
      ? t.menu.renewsAutomatically
      : t.menu.signInAgain;

  const renew = async (renewal: ManualRenewal) => {
    const fail = (reason: SignInProblem) => setFailure({ problem: reason, endsAt: endsAt.getTime() });
    const failed = await renewManually(renewal, () => fail({ kind: 'lost' }));
    if (failed) fail(failed);
    else toast(t.menu.renewed[renewal]);
  };
  // Hide the failure when the session was renewed in another way. When it has ended, SessionNotice is shown instead.
  const shownProblem = session.kind === 'signed-in' && failure?.endsAt === endsAt.getTime() ? failure.problem : null;

  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" icon="account" aria-label={t.menu.sessionOf(account.name)}>
            <span className="hidden max-w-40 truncate sm:inline">{account.name}</span>
          </Button>
        }
      >
        <MenuLabel>
          <span className="block text-sm font-semibold text-ink">{account.name}</span>
          {account.email && account.email !== account.name ? <span className="block">{account.email}</span> : null}
          {role ? <span className="block">{t.menu.roleHere(role)}</span> : null}
        </MenuLabel>
        <MenuSeparator />
        <MenuLabel>
          <span className="block">{t.menu.signedInWith(account.provider)}</span>
          <span className="block">
            {t.menu.until(<time dateTime={endsAt.toISOString()}>{clockTimeWithSeconds(endsAt)}</time>, renewalText)}
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
          title={t.menu.failed}
          description={t.menu.failedText(clockTimeWithSeconds(endsAt), account.name)}
        >
          <SignInChoices returnTo={currentPath()} problem={shownProblem} />
        </Dialog>
      ) : null}
    </>
  );
}

async function signOutAndLeave(): Promise<void> {
  // The provider redirects to /signed-out if it participates in the sign-out.
  if ((await signOut()) === 'local') window.location.assign('/signed-out');
}
