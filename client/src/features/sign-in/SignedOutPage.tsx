import { t } from '../../shared/i18n/en/auth';
import { paths } from '../../shared/lib/paths';
import { AuthPage } from './AuthPage';
/** /signed-out: where a sign-out ends, here or at the provider. Whoever changed the account for an invitation goes back to it. */
import { keptInvitation } from './kept-invitation';
import { SignInChoices } from './SignInChoices';
import { UnlessSignedIn } from './UnlessSignedIn';

export function SignedOutPage() {
  const to = keptInvitation() === null ? paths.home : paths.invite;
  return (
    <UnlessSignedIn to={to}>
      <AuthPage title={t.page.signedOut} description={t.page.forgotten}>
        <SignInChoices returnTo={to} problem={null} />
      </AuthPage>
    </UnlessSignedIn>
  );
}
