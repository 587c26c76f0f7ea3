/** Who is signed in, as what, until when; how to renew by hand, and how to sign out. */
import { useState } from 'react';
import { t } from '../../shared/i18n/en/auth';
import { clockTimeWithSeconds } from '../../shared/i18n/format';
import { Button } from '../../shared/ui/Button';
import { Dialog } from '../../shared/ui/Dialog';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../shared/ui/Menu';
import { toast } from '../../shared/ui/toast';
import { currentPath } from './return-to';
import { type RenewalByHand, renewBy, signOut } from './session';
import type { SignInProblem } from './sign-in-problem';
import { SignInChoices } from './SignInChoices';
import { useSession } from './use-session';

interface Props {
  /** The person's role where they are, in words. The server says it; the token does not count. */
  role?: string | null;
}

/** A renewal that did not work, of the session that ends at `endsAt` (milliseconds since 1970). */
interface Failure {
  why: SignInProblem;
  endsAt: number;
}

export function SessionMenu({ role }: Props) {
  const session = useSession();
  const [failure, setFailure] = useState<Failure | null>(null);
  if (session.kind === 'loading' || session.kind === 'signed-out') return null;
  const { person, endsAt, hasRefreshToken, renewsInFrame, problem } = session;
  const then = problem
    ? t.menu.notRenewed
    : hasRefreshToken || renewsInFrame
      ? t.menu.renewsAutomatically
      : t.menu.signInAgain;

  const renew = async (renewal: RenewalByHand) => {
    const fail = (why: SignInProblem) => setFailure({ why, endsAt: endsAt.getTime() });
    const failed = await renewBy(renewal, () => fail({ kind: 'lost' }));
    if (failed) fail(failed);
    else toast(t.menu.renewed[renewal]);
  };
  // Once the session lasts longer, in whichever way, the failure is of no interest. Once it has ended, SessionNotice says so.
  const said = session.kind === 'signed-in' && failure?.endsAt === endsAt.getTime() ? failure.why : null;

  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" icon="account" aria-label={t.menu.sessionOf(person.name)}>
            <span className="hidden max-w-40 truncate sm:inline">{person.name}</span>
          </Button>
        }
      >
        <MenuLabel>
          <span className="block text-sm font-semibold text-ink">{person.name}</span>
          {person.email && person.email !== person.name ? <span className="block">{person.email}</span> : null}
          {role ? <span className="block">{t.menu.roleHere(role)}</span> : null}
        </MenuLabel>
        <MenuLine />
        <MenuLabel>
          <span className="block">{t.menu.signedInWith(person.provider)}</span>
          <span className="block">
            {t.menu.until(<time dateTime={endsAt.toISOString()}>{clockTimeWithSeconds(endsAt)}</time>, then)}
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
        <MenuLine />
        <MenuItem icon="right" onSelect={() => void leave()}>
          {t.menu.signOut}
        </MenuItem>
      </Menu>
      {said ? (
        <Dialog
          open
          onOpenChange={() => setFailure(null)}
          title={t.menu.failed}
          description={t.menu.failedText(clockTimeWithSeconds(endsAt), person.name)}
        >
          <SignInChoices returnTo={currentPath()} problem={said} />
        </Dialog>
      ) : null}
    </>
  );
}

async function leave(): Promise<void> {
  // Where the provider takes part, it sends the page to /signed-out itself.
  if ((await signOut()) === 'local') window.location.assign('/signed-out');
}
