import { useState } from 'react';
import { Invitations } from '../../generated/documents/Invitations';
import { MutationInvitationRenew, MutationInvitationRevoke } from '../../generated/fields';
import { useInvitationRenewMutation, useInvitationRevokeMutation, useInvitationsQuery } from '../../generated/hooks';
import type { InvitationRow_InvitationFragment } from '../../generated/operations';
import { canFrom, roleName } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/invitation';
import { formatDateTime } from '../../shared/i18n/format';
import { Badge } from '../../shared/ui/Badge';
import { Button, IconButton } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { Loaded } from '../../shared/ui/Loaded';
import { toast } from '../../shared/ui/toast';
import { useWorkspace } from '../workspace/workspace-context';
import { LinkDialog, type NewLink } from './LinkView';

export function InvitationsPanel() {
  const { id: workspaceId } = useWorkspace();
  const result = useInvitationsQuery({ variables: { workspaceId }, fetchPolicy: 'cache-and-network' });
  return (
    <Panel title={t.list.title} description={t.list.description}>
      <Loaded result={result} label={t.list.loading} rows={1}>
        {({ invitations }) =>
          invitations.length === 0 ? (
            <p className="text-muted">{t.list.empty}</p>
          ) : (
            <ul aria-label={t.list.title} className="-my-3">
              {invitations.map(invitation => (
                <Row key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Row({ invitation }: { invitation: InvitationRow_InvitationFragment }) {
  const { email, role, state, by, expiresAt } = invitation;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3 last:border-b-0">
      <div className="min-w-0 grow basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-all">{email}</span>
          {state === 'EXPIRED' ? <Badge tone="signal">{t.list.expired}</Badge> : null}
        </p>
        <p className="text-sm break-words text-muted">
          {t.list.invitedBy(by.name, roleName(role))} · {t.list.until(formatDateTime(expiresAt))}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <RenewButton invitation={invitation} />
        <RevokeButton invitation={invitation} />
      </div>
    </li>
  );
}

function reasonFor(field: Parameters<typeof canFrom>[0], state: string): string | null {
  const permission = canFrom(field, state, 'invitation');
  return permission.allowed ? null : permission.reason;
}

function RenewButton({ invitation: { id, email, state } }: { invitation: InvitationRow_InvitationFragment }) {
  const [renew, { loading }] = useInvitationRenewMutation();
  const [link, setLink] = useState<NewLink | null>(null);
  const renewLink = async () => {
    const outcome = await runMutation(renew({ variables: { id } }));
    if (outcome.ok) setLink(outcome.data.invitationRenew);
    else toast(outcome.error.message, { tone: 'danger' });
  };
  return (
    <>
      <Button
        size="small"
        icon="refresh"
        busy={loading}
        reason={reasonFor(MutationInvitationRenew, state)}
        onClick={() => void renewLink()}
      >
        {t.list.renew}
        <span className="sr-only"> {t.list.of(email)}</span>
      </Button>
      <LinkDialog link={link} onClose={() => setLink(null)} />
    </>
  );
}

function RevokeButton({ invitation: { id, email, state } }: { invitation: InvitationRow_InvitationFragment }) {
  const { id: workspaceId } = useWorkspace();
  const [confirming, setConfirming] = useState(false);
  const [revoke] = useInvitationRevokeMutation({
    refetchQueries: [{ query: Invitations, variables: { workspaceId } }],
  });
  return (
    <>
      <IconButton
        label={t.list.revokeLabel(email)}
        icon="trash"
        reason={reasonFor(MutationInvitationRevoke, state)}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.list.revokeTitle(email)}
        action={t.list.revoke}
        onConfirm={async () => {
          const outcome = await runMutation(revoke({ variables: { id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.list.revoked(email));
          return null;
        }}
      >
        {t.list.revokeText}
      </Confirm>
    </>
  );
}
