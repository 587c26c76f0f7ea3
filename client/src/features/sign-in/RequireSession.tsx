/** Shows its children to people who are signed in, and the sign-in page, at the same address, to everybody else. */
import { Fragment, lazy, Suspense, type ReactNode } from 'react';
import { t } from '../../shared/i18n/en/auth';
import { SessionNotice } from './SessionNotice';
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
      // The page stays when the session ends: it may hold work that is not saved yet. For somebody else everything
      // below is mounted anew: what the page holds belongs to the person before.
      return (
        <Fragment key={session.person.id}>
          {children}
          <SessionNotice session={session} />
        </Fragment>
      );
    default:
      return session satisfies never;
  }
}
