/** Who is signed in, as what, until when; how to renew by hand, and how to sign out. */
import { Button } from '../ui/Button';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/Menu';
import { toast } from '../ui/toast';
import { clockTime } from './clock-time';
import { type RenewalByHand, renewBy, signOut } from './session';
import { sayProblem } from './sign-in-problem';
import { useSession } from './use-session';

interface Props {
  /** The person's role where they are, in words. The server says it; the token does not count. */
  role?: string | null;
}

const saysRenewed: Readonly<Record<RenewalByHand, string>> = {
  frame: 'Renewed in a hidden frame.',
  'refresh-token': 'Renewed by refresh token.',
  window: 'Renewed in a window.',
};

export function SessionMenu({ role }: Props) {
  const session = useSession();
  if (session.kind === 'loading' || session.kind === 'signed-out') return null;
  const { person, endsAt, hasRefreshToken, renewsInFrame, problem } = session;
  const then = hasRefreshToken || renewsInFrame ? ', then renewed by itself' : ', then you sign in again';

  const renew = async (renewal: RenewalByHand) => {
    const failure = await renewBy(renewal);
    if (failure) toast(sayProblem(failure, person.provider), { tone: 'danger' });
    else toast(saysRenewed[renewal]);
  };

  return (
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
  );
}

async function leave(): Promise<void> {
  // Where the provider takes part, it sends the page to /signed-out itself.
  if ((await signOut()) === 'local') window.location.assign('/signed-out');
}
