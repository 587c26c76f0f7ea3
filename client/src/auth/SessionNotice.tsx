/**
 * The one warning before a session ends that cannot be renewed, and the dialog once it has ended. Both keep the page:
 * signing in again in a window leaves unsaved work where it is.
 */
import { useEffect, useState } from 'react';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { clockTime } from './clock-time';
import { currentPath } from './return-to';
import { renewSession } from './session';
import { SignInChoices } from './SignInChoices';
import type { Session } from './use-session';

type Running = Extract<Session, { person: unknown }>;

export function SessionNotice({ session }: { session: Running }) {
  const [signingIn, setSigningIn] = useState(false);
  const [dismissed, setDismissed] = useState(false);
  const { kind, problem, person, endsAt } = session;
  const lasting = problem === null && kind === 'signed-in';
  // The next trouble is a new one: it is said again.
  if (lasting && (signingIn || dismissed)) {
    setSigningIn(false);
    setDismissed(false);
  }
  useEffect(() => {
    if (kind === 'ended') void renewSession();
  }, [kind]);

  if (lasting) return null;
  if (signingIn || (kind === 'ended' && problem !== null)) {
    return (
      <Dialog
        open
        onOpenChange={() => {
          setSigningIn(false);
          setDismissed(true);
        }}
        title={kind === 'ended' ? 'Your session has ended' : 'Stay signed in'}
        description={`Sign in again as ${person.name}. In a new window, this page stays as it is.`}
      >
        <SignInChoices returnTo={currentPath()} problem={problem} />
      </Dialog>
    );
  }
  if (dismissed || kind === 'ended') return null;
  return (
    <div
      role="alert"
      className="fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-2xl flex-wrap items-center gap-3 rounded-card border border-line bg-raised p-4 shadow-raised"
    >
      <Icon name="warning" className="text-signal-ink" />
      <p className="min-w-0 grow basis-60">Your session ends at {clockTime(endsAt)} and could not be renewed.</p>
      <Button variant="ghost" onClick={() => setDismissed(true)}>
        Not now
      </Button>
      <Button variant="primary" onClick={() => setSigningIn(true)}>
        Sign in again
      </Button>
    </div>
  );
}
