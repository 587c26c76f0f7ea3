import { t } from '../../../shared/i18n/en/auth';
import { paths } from '../../../shared/lib/paths';
import { remainingProviderSession } from '../oidc/providers';
import { pendingInvitation } from '../session/pending-invitation';
import { currentPath } from '../session/return-to';
import { knownProviders, sessionProblem } from '../session/session';
import { AuthPage, RedirectIfSignedIn } from './AuthPage';
import { SignInChoices } from './SignInChoices';

interface Props {
  /** The current page by default. */
  returnTo?: string;
}

export function SignInPage({ returnTo = currentPath() }: Props) {
  return (
    <RedirectIfSignedIn to={returnTo}>
      <AuthPage title={t.page.signIn} description={t.page.tagline}>
        <SignInChoices returnTo={returnTo} problem={sessionProblem()} />
      </AuthPage>
    </RedirectIfSignedIn>
  );
}

/** Returns to a pending invitation, for which the user may have changed accounts. */
export function SignedOutPage() {
  const to = pendingInvitation() === null ? paths.home : paths.invite;
  const remaining = remainingProviderSession(knownProviders());
  return (
    <RedirectIfSignedIn to={to}>
      <AuthPage
        title={t.page.signedOut}
        description={remaining ? t.page.remains(remaining.name) : t.page.sessionRemoved}
      >
        <SignInChoices returnTo={to} problem={null} remaining={remaining} />
      </AuthPage>
    </RedirectIfSignedIn>
  );
}
