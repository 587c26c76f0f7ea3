/**
 * The sign-in page: each provider by a full-page redirect or in a window, and what to do when the window does not
 * work.
 */
import { t } from '../../shared/i18n/en/auth';
import { paths } from '../../shared/lib/paths';
import { AuthPage, UnlessSignedIn } from './AuthPage';
import { pendingInvitation } from './pending-invitation';
import { currentPath } from './return-to';
import { sessionProblem } from './session';
import { SignInChoices } from './SignInChoices';

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

/** /signed-out: where a sign-out ends, here or at the provider. Whoever changed the account for an invitation goes back to it. */
export function SignedOutPage() {
  const to = pendingInvitation() === null ? paths.home : paths.invite;
  return (
    <UnlessSignedIn to={to}>
      <AuthPage title={t.page.signedOut} description={t.page.forgotten}>
        <SignInChoices returnTo={to} problem={null} />
      </AuthPage>
    </UnlessSignedIn>
  );
}
