/** A change waits for a new sign-in. */
import { useEffect, useSyncExternalStore } from 'react';
import { t } from '../../../shared/i18n/en/auth';
import { t as common } from '../../../shared/i18n/en/common';
import { Button } from '../../../shared/ui/Button';
import { Actions, Dialog } from '../../../shared/ui/Dialog';
import { Spinner } from '../../../shared/ui/Waiting';
import { formatProblem } from '../oidc/problem-text';
import { cancelStepUp, openStepUpWindow, stepUpState, type StepUpState } from '../session/step-up';
import { type SessionAccount, useAccountNames } from '../session/use-session';
import { ProblemNote } from './ProblemNote';

export function StepUpDialog({ account }: { account: SessionAccount }) {
  const state = useSyncExternalStore(stepUpState.subscribe, stepUpState.get);
  const { name } = useAccountNames(account);
  // A change of another account must not continue.
  useEffect(() => cancelStepUp, []);
  return (
    <Dialog
      open={state !== null}
      onOpenChange={cancelStepUp}
      title={t.stepUp.title}
      description={(state?.isStrong ? t.stepUp.strongText : t.stepUp.text)(account.provider, name)}
    >
      {state ? <Progress state={state} provider={account.provider} /> : null}
      <Actions>
        <Button variant="ghost" onClick={cancelStepUp}>
          {common.cancel}
        </Button>
        <Button
          variant={state?.kind === 'in-window' && !state.lost ? 'secondary' : 'primary'}
          onClick={() => void openStepUpWindow()}
        >
          {t.stepUp.action}
        </Button>
      </Actions>
    </Dialog>
  );
}

function Progress({ state, provider }: { state: StepUpState; provider: string }) {
  if (state.kind === 'failed') {
    const { problem } = state;
    if (problem.kind === 'popupBlocked') return <ProblemNote>{t.stepUp.blocked}</ProblemNote>;
    // Another account would not be accepted.
    const text = problem.kind === 'accessDenied' ? t.stepUp.denied(provider) : formatProblem(problem, provider);
    return <ProblemNote cause={problem.cause}>{text}</ProblemNote>;
  }
  return (
    <div className="grid gap-4">
      <Spinner label={t.choices.finish(provider)} />
      {/* Takes its space from the beginning, so that the buttons do not move under the pointer during a click. */}
      <p role="status" className={state.lost ? undefined : 'invisible'}>
        {t.stepUp.lost}
      </p>
    </div>
  );
}
