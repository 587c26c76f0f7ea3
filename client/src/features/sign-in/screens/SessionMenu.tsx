import { lazy, Suspense, useState } from 'react';
import { t } from '../../../shared/i18n/en/auth';
import { clockTimeOrDate } from '../../../shared/i18n/format';
import { Button } from '../../../shared/ui/Button';
import { Dialog } from '../../../shared/ui/Dialog';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../../shared/ui/Menu';
import { toast } from '../../../shared/ui/toast';
import { type SignInProblem, watchSlow } from '../oidc/sign-in-problem';
import { currentPath } from '../session/return-to';
import { type ManualRenewal, renewManually, signOutAndLeave } from '../session/session';
import { type AccountSession, useAccountNames, useSession } from '../session/use-session';

/** Few members open them. */
const SignInChoices = lazy(async () => ({ default: (await import('./SignInChoices')).SignInChoices }));
const SignInDetails = lazy(async () => ({ default: (await import('./SignInDetails')).SignInDetails }));

interface Props {
  /** The role that the server has returned, not one of the token. */
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
  session: AccountSession;
  role: string | null;
}

function AccountMenu({ session, role }: AccountMenuProps) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [showsDetails, setShowsDetails] = useState(false);
  const { account, endsAt, hasRefreshToken, renewsInFrame, problem } = session;
  const { name, email } = useAccountNames(account);
  const ending = problem ? t.menu.notRenewed : hasRefreshToken || renewsInFrame ? null : t.menu.signInAgain;

  const renew = async (renewal: ManualRenewal) => {
    setShowsDetails(false);
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
          {email && email !== name ? <span className="block">{email}</span> : null}
          {role ? <span className="block">{t.menu.roleHere(role)}</span> : null}
        </MenuLabel>
        <MenuSeparator />
        {ending ? (
          <MenuLabel>
            {t.menu.until(<time dateTime={endsAt.toISOString()}>{clockTimeOrDate(endsAt)}</time>, ending)}
          </MenuLabel>
        ) : null}
        <MenuItem icon="info" onSelect={() => setShowsDetails(true)}>
          {t.menu.details}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="right" onSelect={() => void signOutAndLeave()}>
          {t.menu.signOut}
        </MenuItem>
      </Menu>
      <Dialog
        open={showsDetails}
        onOpenChange={setShowsDetails}
        title={t.menu.details}
        description={t.details.description}
      >
        <Suspense fallback={null}>
          <SignInDetails session={session} onRenew={renewal => void renew(renewal)} />
        </Suspense>
      </Dialog>
      {shownProblem ? (
        <Dialog
          open
          onOpenChange={() => setFailure(null)}
          title={shownProblem.kind === 'slow' ? t.menu.slow : t.menu.failed}
          description={t.menu.failedText(clockTimeOrDate(endsAt), name)}
        >
          <Suspense fallback={null}>
            <SignInChoices returnTo={currentPath()} problem={shownProblem} canSignOut />
          </Suspense>
        </Dialog>
      ) : null}
    </>
  );
}
