/** The ways to sign in, as buttons. Also part of the notice that a session has ended, above a page that stays. */
import { useEffect, useRef, useState } from 'react';
import { t } from '../../shared/i18n/en/auth';
import { t as common } from '../../shared/i18n/en/common';
import { Button } from '../../shared/ui/Button';
import { Spinner } from '../../shared/ui/Waiting';
import { ProblemNote } from './ProblemNote';
import type { Provider } from './providers';
import { activeProvider, knownProviders, signInByPopup, signInByRedirect } from './session';
import { sayProblem, type SignInProblem } from './sign-in-problem';

interface Props {
  /** Where a full-page sign-in leads back to. */
  returnTo: string;
  /** Why signing in is necessary, when that is worth a sentence. */
  problem: SignInProblem | null;
}

type Attempt =
  | { kind: 'none' }
  | { kind: 'leaving'; provider: Provider }
  /** `lost`: the window cannot be seen any more, so it may be closed. */
  | { kind: 'waiting'; provider: Provider; lost: boolean }
  | { kind: 'failed'; provider: Provider; problem: SignInProblem };

export function SignInChoices({ returnTo, problem }: Props) {
  const [attempt, setAttempt] = useState<Attempt>({ kind: 'none' });
  const popup = useRef<AbortController | null>(null);
  // Nobody waits for the window any more when this is gone.
  useEffect(() => () => stopWaiting(popup.current), []);

  const inThisTab = async (provider: Provider) => {
    stopWaiting(popup.current);
    setAttempt({ kind: 'leaving', provider });
    const failure = await signInByRedirect(provider, returnTo);
    if (failure) setAttempt({ kind: 'failed', provider, problem: failure });
  };

  const inWindow = async (provider: Provider) => {
    stopWaiting(popup.current);
    const waiting = new AbortController();
    popup.current = waiting;
    setAttempt({ kind: 'waiting', provider, lost: false });
    const lose = () => {
      if (!waiting.signal.aborted) setAttempt({ kind: 'waiting', provider, lost: true });
    };
    const failure = await signInByPopup(provider, waiting.signal, lose);
    // Somebody who cancelled, or chose another way meanwhile, needs no message about it.
    if (waiting.signal.aborted) return undefined;
    // No window, no question: the sign-in goes on in this tab, which comes back to the same page.
    if (failure?.kind === 'blocked') return inThisTab(provider);
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
        {lost ? <p role="status">{t.choices.lost}</p> : null}
        <Button variant={lost ? 'primary' : 'secondary'} onClick={() => void inThisTab(provider)}>
          {t.choices.inThisTab}
        </Button>
        <Button variant="ghost" onClick={cancel}>
          {common.cancel}
        </Button>
      </div>
    );
  }
  const shown = attempt.kind === 'failed' ? attempt.problem : problem;
  const blamed =
    (attempt.kind === 'failed' ? attempt.provider : activeProvider()?.provider)?.name ?? t.choices.theProvider;
  const leaving = attempt.kind === 'leaving' ? attempt.provider : null;
  const insecure = window.isSecureContext ? null : sayProblem({ kind: 'insecure' }, blamed);
  return (
    <div className="grid gap-6">
      {insecure ? <ProblemNote>{insecure}</ProblemNote> : null}
      {shown && !insecure ? <ProblemNote cause={shown.cause}>{sayProblem(shown, blamed)}</ProblemNote> : null}
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
          <Button
            variant="ghost"
            reason={insecure}
            aria-label={t.choices.signInWithInWindow(provider.name)}
            onClick={() => void inWindow(provider)}
          >
            {t.choices.inWindow}
          </Button>
        </div>
      ))}
    </div>
  );
}

/** The text is what sign-in-problem.ts knows a cancelled window by. */
function stopWaiting(popup: AbortController | null): void {
  popup?.abort('Popup aborted');
}
