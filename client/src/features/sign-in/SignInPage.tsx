/**
 * The sign-in page: each provider by a full-page redirect or in a window, and what to do when the window does not
 * work.
 */
import { t } from '../../shared/i18n/en/auth';
import { AuthPage } from './AuthPage';
import { currentPath } from './return-to';
import { sessionProblem } from './session';
import { SignInChoices } from './SignInChoices';
import { UnlessSignedIn } from './UnlessSignedIn';

interface Props {
  /** Where to go once somebody is signed in: the page that is open, unless told. */
  returnTo?: string;
}

export function SignInPage({ returnTo = currentPath() }: Props) {
  return (
    <UnlessSignedIn to={returnTo}>
      <AuthPage title={t.page.signIn} description={t.page.promise}>
        <SignInChoices returnTo={returnTo} problem={sessionProblem()} />
      </AuthPage>
    </UnlessSignedIn>
  );
}
