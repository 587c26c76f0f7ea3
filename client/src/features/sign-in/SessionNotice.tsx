/**
 * The one warning before a session ends that cannot be renewed, and the dialog once it has ended. Both keep the page:
 * one click renews in a window, which a provider that still knows the person closes at once, and unsaved work stays where
 * it is.
 */
import { useEffect, useRef, useState } from 'react';
import { t } from '../../shared/i18n/en/auth';
import { clockTimeWithSeconds } from '../../shared/i18n/format';
import { Button } from '../../shared/ui/Button';
import { Dialog } from '../../shared/ui/Dialog';
import { Icon } from '../../shared/ui/Icon';
import { Details } from './ProblemNote';
import { currentPath } from './return-to';
import { activeProvider, renewSession, signInByPopup } from './session';
import type { SignInProblem } from './sign-in-problem';
import { SignInChoices } from './SignInChoices';
import type { Session } from './use-session';

type Running = Extract<Session, { person: unknown }>;

type Step =
  | { kind: 'warning' | 'in-window' | 'dismissed' }
  /** The dialog with all ways, because the window did not do. */
  | { kind: 'choosing'; problem: SignInProblem };

const FIRST: Step = { kind: 'warning' };

export function SessionNotice({ session }: { session: Running }) {
  const [step, setStep] = useState(FIRST);
  const inWindow = useRef<AbortController | null>(null);
  const { kind, problem, person, endsAt, hasRefreshToken, renewsInFrame } = session;
  const lasting = problem === null && kind === 'signed-in';
  // The next trouble is a new one: it is said again.
  if (lasting && step !== FIRST) setStep(FIRST);
  useEffect(() => {
    if (kind === 'ended') void renewSession();
  }, [kind]);
  // Nobody waits for the window any more when this is gone.
  useEffect(() => () => inWindow.current?.abort('Popup aborted'), []);

  const renewInWindow = async () => {
    const provider = activeProvider()?.provider;
    if (!provider) return;
    const waiting = new AbortController();
    inWindow.current = waiting;
    setStep({ kind: 'in-window' });
    // It may be open all the same, and finish: then the session lasts, and the dialog goes.
    const choose = (reason: SignInProblem) => {
      if (!waiting.signal.aborted) setStep({ kind: 'choosing', problem: reason });
    };
    const failure = await signInByPopup(provider, waiting.signal, () => choose({ kind: 'lost' }));
    if (failure) choose(failure);
  };

  if (lasting) return null;
  if (step.kind === 'choosing' || (kind === 'ended' && problem !== null)) {
    return (
      <Dialog
        open
        onOpenChange={() => setStep({ kind: 'dismissed' })}
        title={kind === 'ended' ? t.notice.ended : t.notice.stay}
        description={t.notice.again(person.name)}
      >
        <SignInChoices returnTo={currentPath()} problem={step.kind === 'choosing' ? step.problem : problem} />
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
      <Icon name="warning" className="text-signal-ink" />
      <div className="min-w-0 grow basis-60">
        <p>
          {renewable
            ? t.notice.endsUnrenewed(clockTimeWithSeconds(endsAt))
            : t.notice.endsAlone(clockTimeWithSeconds(endsAt), person.provider)}
        </p>
        {renewable && problem?.cause ? <Details>{problem.cause}</Details> : null}
      </div>
      <Button variant="ghost" onClick={() => setStep({ kind: 'dismissed' })}>
        {t.notice.notNow}
      </Button>
      <Button variant="primary" busy={step.kind === 'in-window'} onClick={() => void renewInWindow()}>
        {t.notice.stay}
      </Button>
    </div>
  );
}
