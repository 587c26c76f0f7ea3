/** /signed-out: where a sign-out ends, here or at the provider. */
import { t } from '../texts/auth';
import { AuthPage } from './AuthPage';
import { SignInChoices } from './SignInChoices';
import { UnlessSignedIn } from './UnlessSignedIn';

export function SignedOutPage() {
  return (
    <UnlessSignedIn to="/">
      <AuthPage title={t.page.signedOut} description={t.page.forgotten}>
        <SignInChoices returnTo="/" problem={null} />
      </AuthPage>
    </UnlessSignedIn>
  );
}
