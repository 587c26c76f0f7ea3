import { useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../shared/i18n/en/auth';
import { t as common } from '../../../shared/i18n/en/common';
import { Button } from '../../../shared/ui/Button';
import { Spinner } from '../../../shared/ui/Waiting';
import { formatProblem } from '../oidc/problem-text';
import type { Provider } from '../oidc/providers';
import { type SignInProblem, watchSlow } from '../oidc/sign-in-problem';
import { activeProvider, knownProviders, signInByPopup, signInByRedirect, signOutAndLeave } from '../session/session';
import { ProblemNote } from './ProblemNote';

interface Props {
  returnTo: string;
  /** Null if it needs no explanation. */
  problem: SignInProblem | null;
  /** Shown if there is a session, here or at the provider, that the user may want to end. */
  canSignOut?: boolean;
  /** Still has a session, whose account the user may not want. */
  remaining?: Provider | null;
}

type Attempt =
  | { kind: 'none' }
  | { kind: 'leaving'; provider: Provider }
  /** `lost`: cannot be observed, and may be closed. */
  | { kind: 'waiting'; provider: Provider; lost: boolean }
  | { kind: 'failed'; provider: Provider; problem: SignInProblem };

export function SignInChoices({ returnTo, problem, canSignOut = false, remaining = null }: Props) {
  const [attempt, setAttempt] = useState<Attempt>({ kind: 'none' });
  const windowHint = useId();
  const popup = useRef<AbortController | null>(null);
  useEffect(() => () => stopWaiting(popup.current), []);

  const inThisTab = async (provider: Provider, otherAccount = false) => {
    stopWaiting(popup.current);
    setAttempt({ kind: 'leaving', provider });
    const onSlow = () =>
      setAttempt(current =>
        current.kind === 'leaving' ? { kind: 'failed', provider, problem: { kind: 'slow' } } : current,
      );
    const failure = await watchSlow(signInByRedirect(provider, returnTo, otherAccount), onSlow);
    // Without a failure, the user has returned to this page with the back button.
    setAttempt(failure ? { kind: 'failed', provider, problem: failure } : { kind: 'none' });
  };

  const inWindow = async (provider: Provider) => {
    stopWaiting(popup.current);
    const waiting = new AbortController();
    popup.current = waiting;
    setAttempt({ kind: 'waiting', provider, lost: false });
    const onLost = () => {
      if (!waiting.signal.aborted) setAttempt({ kind: 'waiting', provider, lost: true });
    };
    const failure = await signInByPopup(provider, waiting.signal, onLost);
    // Cancelled, or another way was chosen.
    if (waiting.signal.aborted) return undefined;
    // This tab returns to the same page.
    if (failure?.kind === 'popupBlocked') return inThisTab(provider);
    setAttempt(failure ? { kind: 'failed', provider, problem: failure } : { kind: 'none' });
    return undefined;
  };

  const cancel = () => {
    stopWaiting(popup.current);
    setAttempt({ kind: 'none' });
  };

  if (attempt.kind === 'waiting') {
    const { provider, lost } = attempt;
    return (
      <div className="grid gap-4">
        <Spinner label={t.choices.finish(provider.name)} />
        <Button variant={lost ? 'primary' : 'secondary'} onClick={() => void inThisTab(provider)}>
          {t.choices.inThisTab}
        </Button>
        <Button variant="ghost" onClick={cancel}>
          {common.cancel}
        </Button>
        {/* Takes its space from the beginning, so that the buttons do not move under the pointer during a click. */}
        <p role="status" className={lost ? undefined : 'invisible'}>
          {t.choices.popupClosed}
        </p>
      </div>
    );
  }
  const shown = attempt.kind === 'failed' ? attempt.problem : problem;
  const providerName =
    (attempt.kind === 'failed' ? attempt.provider : activeProvider()?.provider)?.name ?? t.choices.theProvider;
  const leaving = attempt.kind === 'leaving' ? attempt.provider : null;
  const insecure = window.isSecureContext ? null : formatProblem({ kind: 'insecureContext' }, providerName);
  return (
    <div className="grid gap-6">
      {insecure ? <ProblemNote>{insecure}</ProblemNote> : null}
      {shown && !insecure ? <ProblemNote cause={shown.cause}>{formatProblem(shown, providerName)}</ProblemNote> : null}
      {knownProviders().map(provider => (
        <div key={provider.id} className="grid gap-3">
          <Button
            variant="primary"
            reason={insecure}
            busy={leaving === provider}
            className="whitespace-normal"
            onClick={() => void inThisTab(provider)}
          >
            {t.choices.signInWith(provider.name)}
          </Button>
          {provider === remaining ? (
            <Button reason={insecure} className="whitespace-normal" onClick={() => void inThisTab(provider, true)}>
              {t.choices.otherAccount(provider.name)}
            </Button>
          ) : null}
          <Button
            variant="ghost"
            reason={insecure}
            aria-label={t.choices.signInWithInWindow(provider.name)}
            aria-describedby={windowHint}
            onClick={() => void inWindow(provider)}
          >
            {t.choices.inWindow}
          </Button>
        </div>
      ))}
      <p id={windowHint} className="-mt-5 text-center text-sm text-muted">
        {t.choices.inWindowHint}
      </p>
      {canSignOut || shown?.kind === 'accessDenied' ? <SignOutButton /> : null}
    </div>
  );
}

function SignOutButton() {
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    void signOutAndLeave();
  };
  return (
    <div className="grid border-t border-line pt-4">
      <Button variant="ghost" busy={leaving} onClick={leave}>
        {t.menu.signOut}
      </Button>
    </div>
  );
}

/** Aborts with the message by which sign-in-problem.ts recognizes a cancelled window. */
function stopWaiting(popup: AbortController | null): void {
  popup?.abort('Popup aborted');
}
