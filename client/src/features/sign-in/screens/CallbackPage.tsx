/** /auth/callback. AuthProvider processes the response; this page shows the progress. */
import { useEffect, useState } from 'react';
import { useAuth } from 'react-oidc-context';
import { t } from '../../../shared/i18n/en/auth';
import { Spinner } from '../../../shared/ui/Waiting';
import { problemTitle } from '../oidc/problem-text';
import { signInProblem, type SignInProblem, SLOW_AFTER_MS } from '../oidc/sign-in-problem';
import { savedReturnPath } from '../session/return-to';
import { reportUnknownResponse } from '../session/session';
import { AuthPage, RedirectIfSignedIn } from './AuthPage';
import { SignInChoices } from './SignInChoices';

export function CallbackPage() {
  const { error, isLoading, user } = useAuth();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const failure = error ? signInProblem(error.innerError ?? error, 'interactive') : null;
  const problem: SignInProblem | null = failure ?? (isSlow ? { kind: 'slow' } : null);
  const isUnknown = failure?.kind === 'unknownState';
  // Opened by the back button or a bookmark, without a new response. There may be a session.
  const hasNoResponse = isUnknown || (!failure && !isLoading && !user);
  useEffect(() => {
    if (isUnknown) reportUnknownResponse();
    if (hasNoResponse) window.location.replace(savedReturnPath());
  }, [hasNoResponse, isUnknown]);

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
