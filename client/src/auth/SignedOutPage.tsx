/** /signed-out: where a sign-out ends, here or at the provider. */
import { AuthPage } from './AuthPage';
import { SignInChoices } from './SignInChoices';
import { UnlessSignedIn } from './UnlessSignedIn';

export function SignedOutPage() {
  return (
    <UnlessSignedIn to="/">
      <AuthPage title="You are signed out" description="This browser has forgotten your session.">
        <SignInChoices returnTo="/" problem={null} />
      </AuthPage>
    </UnlessSignedIn>
  );
}
