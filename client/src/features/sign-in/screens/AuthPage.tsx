import { useRouter } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { usePageTitle } from '../../../shared/lib/hooks';
import { Card } from '../../../shared/ui/Card';
import { Logo } from '../../../shared/ui/Logo';
import { useSession } from '../session/use-session';

interface Props {
  title: string;
  description?: string;
  children: ReactNode;
}

export function AuthPage({ title, description, children }: Props) {
  usePageTitle(title);
  return (
    <main className="grid min-h-[calc(100dvh-var(--banner-height,0px))] content-center p-4">
      <Card className="mx-auto grid w-full max-w-md gap-6 p-6 sm:p-8">
        <div>
          <Logo className="mb-5 size-10" />
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {description ? <p className="mt-2 text-muted">{description}</p> : null}
        </div>
        {children}
      </Card>
    </main>
  );
}

/** Redirects to `to` if an account is signed in, also if it signs in later, in another window. */
export function RedirectIfSignedIn({ to, children }: { to: string; children: ReactNode }) {
  // The user of an ended session has to sign in again.
  return useSession().kind === 'signed-in' ? <Redirect to={to} /> : children;
}

function Redirect({ to }: { to: string }) {
  const { history } = useRouter();
  useEffect(() => history.replace(to), [history, to]);
  return null;
}
