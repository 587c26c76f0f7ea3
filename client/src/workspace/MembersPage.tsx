import { useState } from 'react';
import { act } from '../api/act';
import { roleName } from '../api/can';
import { useMemberRemoveMutation, useMemberRoleSetMutation, useMembersQuery, useViewerQuery } from '../generated/hooks';
import { Members, type MemberRow_MemberFragment } from '../generated/operations';
import { roles } from '../generated/rules';
import { formatDateTime } from '../lib/format';
import { usePageTitle } from '../lib/page-title';
import { NotFound } from '../shell/NotFoundPage';
import { Badge } from '../ui/Badge';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Select } from '../ui/Field';
import { Loaded } from '../ui/Loaded';
import { Page } from '../ui/Page';
import { Table } from '../ui/Table';
import { toast } from '../ui/toast';
import { Tooltip } from '../ui/Tooltip';
import { MemberAddDialog } from './MemberAddDialog';
import { useReason, useWorkspace } from './workspace-context';

export function MembersPage() {
  usePageTitle('Members');
  const { slug } = useWorkspace();
  const result = useMembersQuery({ variables: { slug } });
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Members"
      description="Viewers read, authors write, publishers release, administrators manage; each role includes the ones before."
      actions={
        <Button variant="primary" icon="plus" reason={useReason()('memberAdd')} onClick={() => setAdding(true)}>
          Add member
        </Button>
      }
    >
      <Loaded result={result} label="Loading the members">
        {({ workspace }) => (workspace ? <MemberTable members={workspace.members} /> : <NotFound thing="workspace" />)}
      </Loaded>
      <MemberAddDialog open={adding} onOpenChange={setAdding} />
    </Page>
  );
}

function MemberTable({ members }: { members: readonly MemberRow_MemberFragment[] }) {
  const me = useViewerQuery().data?.viewer.account.id;
  return (
    <Table
      caption="Members"
      rows={members}
      rowKey={member => member.id}
      columns={[
        {
          title: 'Name',
          cell: ({ account }) => (
            <span className="block min-w-0">
              {account.name} {account.id === me ? <Badge>you</Badge> : null}
              <span className="block text-sm font-normal break-all text-muted">{account.email}</span>
            </span>
          ),
        },
        { title: 'Role', cell: member => <RoleSelect member={member} /> },
        { title: 'Since', secondary: true, cell: member => formatDateTime(member.joinedAt) },
        { title: 'Remove', align: 'right', cell: member => <RemoveButton member={member} me={me === member.account.id} /> },
      ]}
    />
  );
}

function RoleSelect({ member }: { member: MemberRow_MemberFragment }) {
  const reason = useReason()('memberRoleSet');
  const [set, { loading }] = useMemberRoleSetMutation();
  const select = (
    <Select
      aria-label={`Role of ${member.account.name}`}
      value={member.role}
      disabled={reason !== null || loading}
      className="min-w-32"
      onChange={async event => {
        const role = roles.find(each => each === event.target.value);
        if (!role) return;
        const outcome = await act(set({ variables: { id: member.id, role } }));
        toast(outcome.ok ? `${member.account.name} is ${roleName(role)} now.` : outcome.error.message, {
          tone: outcome.ok ? 'plain' : 'danger',
        });
      }}
    >
      {roles.map(role => (
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

function RemoveButton({ member, me }: { member: MemberRow_MemberFragment; me: boolean }) {
  const { slug } = useWorkspace();
  const [asking, setAsking] = useState(false);
  const [remove] = useMemberRemoveMutation({ refetchQueries: [{ query: Members, variables: { slug } }] });
  const { name } = member.account;
  return (
    <>
      <IconButton
        label={`Remove ${name}`}
        icon="trash"
        reason={useReason()('memberRemove')}
        onClick={() => setAsking(true)}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={me ? 'Leave the workspace?' : `Remove ${name}?`}
        action={me ? 'Leave' : 'Remove member'}
        onConfirm={async () => {
          const outcome = await act(remove({ variables: { id: member.id } }));
          if (!outcome.ok) return outcome.error;
          if (me) window.location.assign('/');
          else toast(`${name} is no longer a member.`);
          return null;
        }}
      >
        {me ? 'You can no longer see this workspace.' : `${name} can no longer see this workspace. What they made stays.`}
      </Confirm>
    </>
  );
}
