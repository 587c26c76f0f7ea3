/** /auth/callback. AuthProvider processes the response. */
import { useEffect } from 'react';
import { useAuth } from 'react-oidc-context';
import { t } from '../../shared/i18n/en/auth';
import { Spinner } from '../../shared/ui/Waiting';
import { AuthPage, RedirectIfSignedIn } from './AuthPage';
import { savedReturnPath } from './return-to';
import { problemTitle, signInProblem } from './sign-in-problem';
import { SignInChoices } from './SignInChoices';

export function CallbackPage() {
  const { error, isLoading, user } = useAuth();
  const problem = error ? signInProblem(error.innerError ?? error, 'interactive') : null;
  // Back button or bookmark. There may be a session.
  const hasNoResponse = problem?.kind === 'unknownState' || (!problem && !isLoading && !user);
  useEffect(() => {
    if (hasNoResponse) window.location.replace(savedReturnPath());
  }, [hasNoResponse]);

  if (!problem || hasNoResponse) {
    return (
      <AuthPage title={t.page.signingIn}>
        <Spinner label={t.page.moment} />
      </AuthPage>
    );
  }
  return (
    <RedirectIfSignedIn to={savedReturnPath()}>
      <AuthPage title={problemTitle(problem)}>
        <SignInChoices returnTo={savedReturnPath()} problem={problem} canSignOut />
      </AuthPage>
    </RedirectIfSignedIn>
  );
}
