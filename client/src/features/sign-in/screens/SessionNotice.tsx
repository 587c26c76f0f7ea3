/** Both notices keep the page and its unsaved work. */
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../shared/i18n/en/auth';
import { clockTimeWithSeconds } from '../../../shared/i18n/format';
import { Button } from '../../../shared/ui/Button';
import { Dialog } from '../../../shared/ui/Dialog';
import { Icon } from '../../../shared/ui/Icon';
import type { SignInProblem } from '../oidc/sign-in-problem';
import { currentPath } from '../session/return-to';
import { activeProvider, renewSession, signInByPopup } from '../session/session';
import { type Session, useAccountNames } from '../session/use-session';
import { Details } from './ProblemNote';
import { SignInChoices } from './SignInChoices';

type ActiveSession = Extract<Session, { account: unknown }>;

type Step =
  | { kind: 'warning' | 'in-window' | 'dismissed' }
  /** The window failed. */
  | { kind: 'choosing'; problem: SignInProblem };

const INITIAL_STEP: Step = { kind: 'warning' };

export function SessionNotice({ session }: { session: ActiveSession }) {
  const [step, setStep] = useState(INITIAL_STEP);
  const inWindow = useRef<AbortController | null>(null);
  const { kind, problem, account, endsAt, hasRefreshToken, renewsInFrame } = session;
  const { name } = useAccountNames(account);
  const stable = problem === null && kind === 'signed-in';
  // Reset the notice, so that it is shown for the next problem.
  if (stable && step !== INITIAL_STEP) setStep(INITIAL_STEP);
  useEffect(() => {
    if (kind === 'ended') void renewSession();
  }, [kind]);
  useEffect(() => () => inWindow.current?.abort('Popup aborted'), []);

  const renewInWindow = async () => {
    const provider = activeProvider()?.provider;
    if (!provider) return;
    const waiting = new AbortController();
    inWindow.current = waiting;
    setStep({ kind: 'in-window' });
    // The window may still succeed.
    const showChoices = (reason: SignInProblem) => {
      if (!waiting.signal.aborted) setStep({ kind: 'choosing', problem: reason });
    };
    const failure = await signInByPopup(provider, waiting.signal, () => showChoices({ kind: 'popupClosed' }));
    if (failure) showChoices(failure);
  };

  if (stable) return null;
  if (step.kind === 'choosing' || (kind === 'ended' && problem !== null)) {
    return (
      <Dialog
        open
        onOpenChange={() => setStep({ kind: 'dismissed' })}
        title={kind === 'ended' ? t.notice.ended : t.notice.stay}
        description={t.notice.again(name)}
      >
        <SignInChoices
          returnTo={currentPath()}
          problem={step.kind === 'choosing' ? step.problem : problem}
          canSignOut
        />
      </Dialog>
    );
  }
  if (step.kind === 'dismissed' || kind === 'ended') return null;
  const renewable = hasRefreshToken || renewsInFrame;
  return (
    <div
      role="alert"
      className="fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-2xl flex-wrap items-center gap-3 rounded-card border border-line bg-raised p-4 shadow-raised"
    >
      <Icon name="warning" className="size-5 text-signal-ink" />
      <div className="min-w-0 grow basis-60">
        <p>
          {renewable
            ? t.notice.endsUnrenewed(clockTimeWithSeconds(endsAt))
            : t.notice.endsAlone(clockTimeWithSeconds(endsAt), account.provider)}
        </p>
        {renewable && problem?.cause ? <Details>{problem.cause}</Details> : null}
      </div>
      <Button variant="ghost" onClick={() => setStep({ kind: 'dismissed' })}>
        {t.notice.dismiss}
      </Button>
      <Button variant="primary" busy={step.kind === 'in-window'} onClick={() => void renewInWindow()}>
        {t.notice.stay}
      </Button>
    </div>
  );
}
