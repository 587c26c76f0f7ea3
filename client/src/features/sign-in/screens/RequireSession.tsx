import { Fragment, lazy, Suspense, type ReactNode, useEffect } from 'react';
import { t } from '../../../shared/i18n/en/auth';
import { Starting } from '../../../shared/ui/Waiting';
import { loadProviderSignOut } from '../oidc/safe-user-manager';
import { type AccountSession, useSession } from '../session/use-session';

const loadSessionNotice = () => import('./SessionNotice');

const SignInPage = lazy(async () => ({ default: (await import('./SignInPage')).SignInPage }));
const SessionNotice = lazy(async () => ({ default: (await loadSessionNotice()).SessionNotice }));
const StepUpDialog = lazy(async () => ({ default: (await import('./StepUpDialog')).StepUpDialog }));

export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession();
  switch (session.kind) {
    case 'loading':
      return <Starting label={t.page.loadingSession} />;
    case 'signed-out':
      return (
        <Suspense fallback={<Starting label={t.page.loadingSession} />}>
          <SignInPage />
        </Suspense>
      );
    case 'signed-in':
    case 'ended':
      // The page may contain unsaved work. Another account's key mounts it again.
      return (
        <Fragment key={session.account.id}>
          {children}
          <Notice session={session} />
          <Suspense fallback={null}>
            <StepUpDialog account={session.account} />
          </Suspense>
        </Fragment>
      );
    default:
      return session satisfies never;
  }
}

function Notice({ session }: { session: AccountSession }) {
  useEffect(() => {
    // Later, the server may be unreachable, too.
    for (const load of [loadSessionNotice, loadProviderSignOut]) load().catch(() => undefined);
  }, []);
  return session.problem === null && session.kind === 'signed-in' ? null : (
    <Suspense fallback={null}>
      <SessionNotice session={session} />
    </Suspense>
  );
}
