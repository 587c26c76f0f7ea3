import { Link, useNavigate, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Viewer } from '../../generated/documents/Viewer';
import { useInvitationAcceptMutation, useInvitationOfferQuery } from '../../generated/hooks';
import type { InvitationOfferQuery } from '../../generated/operations';
import { type AppError, toAppError } from '../../shared/api/app-error';
import { roleName } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/invitation';
import { formatDateTime } from '../../shared/i18n/format';
import { paths, routeIds } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { toast } from '../../shared/ui/toast';
import { Skeleton } from '../../shared/ui/Waiting';
import { AuthPage } from '../sign-in/screens/AuthPage';
import { RequireSession } from '../sign-in/screens/RequireSession';
import { SignInChoices } from '../sign-in/screens/SignInChoices';
import { clearPendingInvitation } from '../sign-in/session/pending-invitation';
import { signOut } from '../sign-in/session/session';
import { useSession } from '../sign-in/session/use-session';

export function InvitePage() {
  const session = useSession();
  // Another link can open in the same tab.
  const { invitation: token } = useRouteContext({ from: routeIds.invite });
  if (token === null) {
    return (
      <AuthPage title={t.page.noneTitle} description={t.page.none}>
        <Leave />
      </AuthPage>
    );
  }
  if (session.kind === 'signed-out') {
    return (
      <AuthPage title={t.page.title} description={t.page.signIn}>
        <SignInChoices returnTo={paths.invite} problem={session.problem} />
      </AuthPage>
    );
  }
  return (
    <RequireSession>
      <Invitation key={token} token={token} />
    </RequireSession>
  );
}

function Invitation({ token }: { token: string }) {
  // The invitation may have expired since.
  const { data, error, refetch } = useInvitationOfferQuery({ variables: { token }, fetchPolicy: 'network-only' });
  const [refusal, setRefusal] = useState<AppError | null>(null);
  const failure = refusal ?? (error ? toAppError(error) : null);
  if (failure) {
    const retry = () => {
      setRefusal(null);
      refetch().catch(() => undefined);
    };
    return <Failed failure={failure} onRetry={retry} />;
  }
  if (!data) {
    return (
      <AuthPage title={t.page.title}>
        <Skeleton label={t.page.loading} rows={2} />
      </AuthPage>
    );
  }
  const { invitationOffer: offer } = data;
  return offer.isMember ? <Member offer={offer} /> : <Offer offer={offer} token={token} onFailure={setRefusal} />;
}

type Offered = InvitationOfferQuery['invitationOffer'];

function Offer({ offer, token, onFailure }: { offer: Offered; token: string; onFailure: (failure: AppError) => void }) {
  const navigate = useNavigate();
  const [accept, { loading }] = useInvitationAcceptMutation({ refetchQueries: [{ query: Viewer }] });
  const join = async () => {
    const outcome = await runMutation(accept({ variables: { token } }));
    if (!outcome.ok) return onFailure(outcome.error);
    clearPendingInvitation();
    const { workspace } = outcome.data.invitationAccept;
    toast(t.page.accepted(workspace.name));
    await navigate({ to: paths.tours, params: { workspace: workspace.slug }, replace: true });
  };
  return (
    <AuthPage title={t.page.title} description={t.page.offer(offer.byName, offer.workspaceName, roleName(offer.role))}>
      <p className="text-sm text-muted">{t.page.until(formatDateTime(offer.expiresAt))}</p>
      <div className="grid gap-3">
        <Button variant="primary" busy={loading} className="whitespace-normal" onClick={() => void join()}>
          {t.page.accept(offer.workspaceName)}
        </Button>
        <Leave label={t.page.later} />
      </div>
    </AuthPage>
  );
}

function Member({ offer }: { offer: Offered }) {
  return (
    <AuthPage title={t.page.memberTitle} description={t.page.member(offer.workspaceName)}>
      <Link
        to={paths.tours}
        params={{ workspace: offer.workspaceSlug }}
        className={buttonStyle('primary')}
        onClick={clearPendingInvitation}
      >
        {t.page.open}
      </Link>
    </AuthPage>
  );
}

function Failed({ failure, onRetry }: { failure: AppError; onRetry: () => void }) {
  const session = useSession();
  const code = failure.kind === 'graphql' ? failure.code : null;
  const wrongAccount = code === 'INVITATION_FOR_ANOTHER' || code === 'EMAIL_UNVERIFIED';
  const account = session.kind === 'signed-in' ? session.account : null;
  const signedInAs = account?.email ?? account?.name;
  return (
    <AuthPage
      title={t.page.failedTitle}
      {...(wrongAccount && signedInAs ? { description: t.page.signedInAs(signedInAs) } : {})}
    >
      <ErrorNote error={failure} />
      <div className="grid gap-3">
        {wrongAccount ? (
          <Button variant="primary" className="whitespace-normal" onClick={() => void changeAccount()}>
            {t.page.otherAccount}
          </Button>
        ) : null}
        {failure.retryable ? (
          <Button icon="refresh" onClick={onRetry}>
            {common.tryAgain}
          </Button>
        ) : null}
        <Leave />
      </div>
    </AuthPage>
  );
}

async function changeAccount(): Promise<void> {
  if ((await signOut()) === 'local') window.location.assign(paths.signedOut);
}

function Leave({ label = t.page.workspaces }: { label?: string }) {
  return (
    <Link to={paths.home} className={buttonStyle('ghost')} onClick={clearPendingInvitation}>
      {label}
    </Link>
  );
}
