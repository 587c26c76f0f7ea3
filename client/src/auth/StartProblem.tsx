/** What is shown when not even the sign-in can begin. */
import { Button } from '../ui/Button';
import { AuthPage } from './AuthPage';
import { Details } from './ProblemNote';

const texts = {
  unreachable: {
    title: 'Waypost cannot be reached',
    text: 'The server does not answer. Check your connection. Nothing that you wrote is lost.',
  },
  'no-provider': {
    title: 'Nobody can sign in yet',
    text: 'This server names no identity provider. Its operator sets one up; “waypost --help” lists the settings.',
  },
} as const;

interface Props {
  reason: keyof typeof texts;
  /** What the failure said, without secrets. */
  cause?: string | undefined;
  onRetry: () => void;
}

export function StartProblem({ reason, cause, onRetry }: Props) {
  const { title, text } = texts[reason];
  return (
    <AuthPage title={title}>
      <p role="alert">{text}</p>
      {cause ? <Details>{cause}</Details> : null}
      <Button icon="refresh" onClick={onRetry}>
        Try again
      </Button>
    </AuthPage>
  );
}
