/** /auth/callback: where a provider sends people back to. AuthProvider takes the answer; this shows how it goes. */
import { useEffect } from 'react';
import { useAuth } from 'react-oidc-context';
import { t } from '../../shared/i18n/en/auth';
import { Spinner } from '../../shared/ui/Waiting';
import { AuthPage, UnlessSignedIn } from './AuthPage';
import { keptReturn } from './return-to';
import { signInProblem } from './sign-in-problem';
import { SignInChoices } from './SignInChoices';

export function CallbackPage() {
  const { error, isLoading, user } = useAuth();
  const problem = error ? signInProblem(error.innerError ?? error) : null;
  // Reached by the back button or a bookmark: there is no answer to take. There may be a session all the same.
  const nothingToTake = problem?.kind === 'stale' || (!problem && !isLoading && !user);
  useEffect(() => {
    if (nothingToTake) window.location.replace(keptReturn());
  }, [nothingToTake]);

  if (!problem || nothingToTake) {
    return (
      <AuthPage title={t.page.signingIn}>
        <Spinner label={t.page.moment} />
      </AuthPage>
    );
  }
  return (
    <UnlessSignedIn to={keptReturn()}>
      <AuthPage title={t.page.failed}>
        <SignInChoices returnTo={keptReturn()} problem={problem} />
      </AuthPage>
    </UnlessSignedIn>
  );
}
