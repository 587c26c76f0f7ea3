/** /signed-out: where a sign-out ends, here or at the provider. */
import { AuthPage } from './AuthPage';
import { SignInChoices } from './SignInChoices';

export function SignedOutPage() {
  return (
    <AuthPage title="You are signed out" description="This browser has forgotten your session.">
      <SignInChoices returnTo="/" problem={null} />
    </AuthPage>
  );
}
