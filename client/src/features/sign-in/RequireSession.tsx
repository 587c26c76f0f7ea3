import { Fragment, lazy, Suspense, type ReactNode } from 'react';
import { t } from '../../shared/i18n/en/auth';
import { SessionNotice } from './SessionNotice';
import { StepUpDialog } from './StepUpDialog';
import { useSession } from './use-session';

const SignInPage = lazy(async () => ({ default: (await import('./SignInPage')).SignInPage }));

export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession();
  switch (session.kind) {
    case 'loading':
      return <output className="sr-only">{t.page.loadingSession}</output>;
    case 'signed-out':
      return (
        <Suspense fallback={null}>
          <SignInPage />
        </Suspense>
      );
    case 'signed-in':
    case 'ended':
      // The page may contain unsaved work. Another account's key mounts it again.
      return (
        <Fragment key={session.account.id}>
          {children}
          <SessionNotice session={session} />
          <StepUpDialog account={session.account} />
        </Fragment>
      );
    default:
      return session satisfies never;
  }
}
