/**
 * Provides the user manager of the session to react-oidc-context, for all pages that need a session, /auth/callback
 * and /signed-out.
 */
import type { User } from 'oidc-client-ts';
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { AuthProvider } from 'react-oidc-context';
import { t } from '../../../shared/i18n/en/auth';
import { Starting } from '../../../shared/ui/Waiting';
import { causeOf } from '../oidc/error-cause';
import { saveReturnPath, savedReturnPath, safePath } from '../session/return-to';
import { activeProvider, onSessionChanged } from '../session/session';
import { startSession } from '../session/start-session';
import { StartProblem } from './StartProblem';

interface Props {
  /** Navigates to a path of the application after a full-page sign-in. */
  onReturn: (path: string) => void;
  children: ReactNode;
}

export function AuthRoot({ onReturn, children }: Props) {
  const [phase, setPhase] = useState<'starting' | 'ready' | { failed: string }>('starting');
  const active = useSyncExternalStore(onSessionChanged, activeProvider);

  useEffect(() => {
    if (phase !== 'starting') return undefined;
    let cancelled = false;
    startSession().then(
      () => {
        if (!cancelled) setPhase('ready');
      },
      (error: unknown) => {
        if (!cancelled) setPhase({ failed: causeOf(error) });
      },
    );
    return () => {
      cancelled = true;
    };
  }, [phase]);

  const onSignedIn = useCallback(
    (user: User | undefined) => {
      // A frame's request has no path, even if the provider answers in the tab.
      const returnTo = returnToOf(user?.state) ?? savedReturnPath();
      saveReturnPath(null);
      onReturn(safePath(returnTo));
    },
    [onReturn],
  );

  if (phase === 'starting') return <Starting label={t.page.loadingWaypost} />;
  if (phase !== 'ready') {
    return <StartProblem reason="unreachable" cause={phase.failed} onRetry={() => setPhase('starting')} />;
  }
  if (!active) return <StartProblem reason="noProvider" onRetry={() => window.location.reload()} />;
  return (
    <AuthProvider
      key={active.provider.id}
      userManager={active.manager}
      skipSigninCallback={window.location.pathname !== '/auth/callback'}
      onSigninCallback={onSignedIn}
    >
      {children}
    </AuthProvider>
  );
}

function returnToOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'returnTo' in state ? state.returnTo : null;
}
