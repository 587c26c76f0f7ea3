import { t } from '../../../shared/i18n/en/auth';
import { t as common } from '../../../shared/i18n/en/common';
import { Button } from '../../../shared/ui/Button';
import { AuthPage } from './AuthPage';
import { Details } from './ProblemNote';

interface Props {
  reason: keyof typeof t.start;
  /** Contains no secrets. */
  cause?: string | undefined;
  onRetry: () => void;
}

export function StartProblem({ reason, cause, onRetry }: Props) {
  const { title, text } = t.start[reason];
  return (
    <AuthPage title={title}>
      <p role="alert">{text}</p>
      {cause ? <Details>{cause}</Details> : null}
      <Button icon="refresh" onClick={onRetry}>
        {common.tryAgain}
      </Button>
    </AuthPage>
  );
}
