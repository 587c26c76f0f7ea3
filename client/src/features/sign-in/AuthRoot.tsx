/**
 * Starts the session and gives react-oidc-context its user manager. Stands around everything that needs a session, and
 * around the two pages that a provider sends people back to: /auth/callback and /signed-out.
 */
import type { User } from 'oidc-client-ts';
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { AuthProvider } from 'react-oidc-context';
import { t } from '../../shared/i18n/en/auth';
import { causeOf } from './error-cause';
import { keepReturn, safePath } from './return-to';
import { activeProvider, onSessionChanged } from './session';
import { startSession } from './start-session';
import { StartProblem } from './StartProblem';

interface Props {
  /** Goes to a path of the application, after a full-page sign-in. */
  onReturn: (path: string) => void;
  children: ReactNode;
}

export function AuthRoot({ onReturn, children }: Props) {
  const [phase, setPhase] = useState<'starting' | 'ready' | { failed: string }>('starting');
  const active = useSyncExternalStore(onSessionChanged, activeProvider);

  useEffect(() => {
    if (phase !== 'starting') return undefined;
    let gone = false;
    startSession().then(
      () => {
        if (!gone) setPhase('ready');
      },
      (error: unknown) => {
        if (!gone) setPhase({ failed: causeOf(error) });
      },
    );
    return () => {
      gone = true;
    };
  }, [phase]);

  const returned = useCallback(
    (user: User | undefined) => {
      keepReturn(null);
      onReturn(safePath(returnToOf(user?.state)));
    },
    [onReturn],
  );

  if (phase === 'starting') return <output className="sr-only">{t.page.loadingWaypost}</output>;
  if (phase !== 'ready') {
    return <StartProblem reason="unreachable" cause={phase.failed} onRetry={() => setPhase('starting')} />;
  }
  if (!active) return <StartProblem reason="noProvider" onRetry={() => window.location.reload()} />;
  return (
    <AuthProvider
      key={active.provider.id}
      userManager={active.manager}
      skipSigninCallback={window.location.pathname !== '/auth/callback'}
      onSigninCallback={returned}
    >
      {children}
    </AuthProvider>
  );
}

/** What `signInByRedirect` asked the provider to hand back. */
function returnToOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'returnTo' in state ? state.returnTo : null;
}
