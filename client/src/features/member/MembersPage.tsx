import { useState } from 'react';
import { Members } from '../../generated/documents/Members';
import {
  MutationInvitationCreate,
  MutationMemberLeave,
  MutationMemberRemove,
  MutationMemberRoleSet,
  QueryAccessTokens,
  QueryInvitations,
} from '../../generated/fields';
import {
  useMemberLeaveMutation,
  useMemberRemoveMutation,
  useMemberRoleSetMutation,
  useMembersQuery,
} from '../../generated/hooks';
import type { MemberRow_MemberFragment } from '../../generated/operations';
import { RoleValues } from '../../generated/rules';
import { can, roleName } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/workspace';
import { formatDateTime } from '../../shared/i18n/format';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Button, IconButton } from '../../shared/ui/Button';
import { Card } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { Page } from '../../shared/ui/Page';
import { toast } from '../../shared/ui/toast';
import { Tooltip } from '../../shared/ui/Tooltip';
import { AccessTokensPanel } from '../access-token/AccessTokensPanel';
import { InvitationsPanel } from '../invitation/InvitationsPanel';
import { InviteDialog } from '../invitation/InviteDialog';
import { useAccountId, useReason, useWorkspace } from '../workspace/workspace-context';

export function MembersPage() {
  usePageTitle(t.members.title);
  const { slug, myRole } = useWorkspace();
  const result = useMembersQuery({ variables: { slug } });
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title={t.members.title}
      description={t.members.description}
      actions={
        <Button
          variant="primary"
          icon="plus"
          reason={useReason()(MutationInvitationCreate)}
          onClick={() => setAdding(true)}
        >
          {t.members.add}
        </Button>
      }
    >
      <Loaded result={result} label={t.members.loading}>
        {({ workspace }) => (workspace ? <MemberList members={workspace.members} /> : <NotFound thing="workspace" />)}
      </Loaded>
      {can(QueryInvitations, myRole).allowed ? <InvitationsPanel /> : null}
      {can(QueryAccessTokens, myRole).allowed ? <AccessTokensPanel /> : null}
      <InviteDialog open={adding} onOpenChange={setAdding} />
    </Page>
  );
}

function MemberList({ members }: { members: readonly MemberRow_MemberFragment[] }) {
  const me = useAccountId();
  return (
    <Card>
      <ul aria-label={t.members.title}>
        {members.map(member => (
          <li
            key={member.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3.5 last:border-b-0"
          >
            <div className="min-w-0 grow basis-56">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {member.account.name} {member.account.id === me ? <Badge>{t.members.you}</Badge> : null}
              </p>
              <p className="text-sm break-words text-muted">
                {member.account.email ? `${member.account.email} · ` : ''}
                {t.members.since(formatDateTime(member.joinedAt))}
              </p>
            </div>
            <div className="flex items-center gap-2">
              <RoleSelect member={member} />
              {me === member.account.id ? <LeaveButton /> : <RemoveButton member={member} />}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RoleSelect({ member }: { member: MemberRow_MemberFragment }) {
  const reason = useReason()(MutationMemberRoleSet);
  const [set, { loading }] = useMemberRoleSetMutation();
  const select = (
    <Select
      aria-label={t.members.roleOf(member.account.name)}
      value={member.role}
      disabled={reason !== null || loading}
      className="min-w-40"
      onChange={async event => {
        const role = RoleValues.find(each => each === event.target.value);
        if (!role) return;
        const outcome = await runMutation(set({ variables: { id: member.id, role } }));
        toast(outcome.ok ? t.members.roleChanged(member.account.name, roleName(role)) : outcome.error.message, {
          tone: outcome.ok ? 'plain' : 'danger',
        });
      }}
    >
      {RoleValues.map(role => (
        <option key={role} value={role}>
          {roleName(role)}
        </option>
      ))}
    </Select>
  );
  return reason ? (
    <Tooltip text={reason}>
      <span tabIndex={0}>{select}</span>
    </Tooltip>
  ) : (
    select
  );
}

function LeaveButton() {
  const { id } = useWorkspace();
  const [confirming, setConfirming] = useState(false);
  const [leave] = useMemberLeaveMutation();
  return (
    <>
      <IconButton
        label={t.members.leaveLabel}
        icon="leave"
        reason={useReason()(MutationMemberLeave)}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.members.leaveTitle}
        action={t.members.leave}
        onConfirm={async () => {
          const outcome = await runMutation(leave({ variables: { workspaceId: id } }));
          if (!outcome.ok) return outcome.error;
          // Removes all data of the workspace from this tab.
          window.location.assign(paths.home);
          return null;
        }}
      >
        {t.members.leaveText}
      </Confirm>
    </>
  );
}

function RemoveButton({ member }: { member: MemberRow_MemberFragment }) {
  const { slug } = useWorkspace();
  const [confirming, setConfirming] = useState(false);
  const [remove] = useMemberRemoveMutation({ refetchQueries: [{ query: Members, variables: { slug } }] });
  const { name } = member.account;
  return (
    <>
      <IconButton
        label={t.members.removeLabel(name)}
        icon="trash"
        reason={useReason()(MutationMemberRemove)}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.members.removeTitle(name)}
        action={t.members.remove}
        onConfirm={async () => {
          const outcome = await runMutation(remove({ variables: { id: member.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.members.removed(name));
          return null;
        }}
      >
        {t.members.removeText(name)}
      </Confirm>
    </>
  );
}
