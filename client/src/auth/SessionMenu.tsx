/** Who is signed in, as what, until when; how to renew by hand, and how to sign out. */
import { useState } from 'react';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/Menu';
import { toast } from '../ui/toast';
import { clockTime } from './clock-time';
import { currentPath } from './return-to';
import { type RenewalByHand, renewBy, signOut } from './session';
import { SignInChoices } from './SignInChoices';
import type { SignInProblem } from './sign-in-problem';
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

const saysRenewed: Readonly<Record<RenewalByHand, string>> = {
  frame: 'Renewed in a hidden frame.',
  'refresh-token': 'Renewed by refresh token.',
  window: 'Renewed in a window.',
};

export function SessionMenu({ role }: Props) {
  const session = useSession();
  const [failure, setFailure] = useState<Failure | null>(null);
  if (session.kind === 'loading' || session.kind === 'signed-out') return null;
  const { person, endsAt, hasRefreshToken, renewsInFrame, problem } = session;
  const then = hasRefreshToken || renewsInFrame ? ', then renewed by itself' : ', then you sign in again';

  const renew = async (renewal: RenewalByHand) => {
    const fail = (why: SignInProblem) => setFailure({ why, endsAt: endsAt.getTime() });
    const failed = await renewBy(renewal, () => fail({ kind: 'lost' }));
    if (failed) fail(failed);
    else toast(saysRenewed[renewal]);
  };
  // Once the session lasts longer, in whichever way, the failure is of no interest. Once it has ended, SessionNotice says so.
  const said = session.kind === 'signed-in' && failure?.endsAt === endsAt.getTime() ? failure.why : null;

  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" icon="members" aria-label={`Session of ${person.name}`}>
            <span className="hidden max-w-40 truncate sm:inline">{person.name}</span>
          </Button>
        }
      >
        <MenuLabel>
          <span className="block text-sm font-semibold text-ink">{person.name}</span>
          {person.email && person.email !== person.name ? <span className="block">{person.email}</span> : null}
          {role ? <span className="block">{role} here</span> : null}
        </MenuLabel>
        <MenuLine />
        <MenuLabel>
          <span className="block">Signed in with {person.provider}</span>
          <span className="block">
            Until <time dateTime={endsAt.toISOString()}>{clockTime(endsAt)}</time>
            {problem ? ', and it could not be renewed' : then}
          </span>
        </MenuLabel>
        <MenuItem
          icon="refresh"
          reason={renewsInFrame ? null : 'This provider renews no session in a frame.'}
          onSelect={() => void renew('frame')}
        >
          Renew now in a hidden frame
        </MenuItem>
        <MenuItem
          icon="refresh"
          reason={hasRefreshToken ? null : 'The provider gave this session no refresh token.'}
          onSelect={() => void renew('refresh-token')}
        >
          Renew now by refresh token
        </MenuItem>
        <MenuItem icon="refresh" onSelect={() => void renew('window')}>
          Renew now in a window
        </MenuItem>
        <MenuLine />
        <MenuItem icon="right" onSelect={() => void leave()}>
          Sign out
        </MenuItem>
      </Menu>
      {said ? (
        <Dialog
          open
          onOpenChange={() => setFailure(null)}
          title="The session was not renewed"
          description={`It lasts until ${clockTime(endsAt)}. Sign in again as ${person.name} to make it last longer: in a new window, this page stays as it is.`}
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
