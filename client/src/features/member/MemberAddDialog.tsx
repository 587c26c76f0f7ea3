import { useState } from 'react';
import { Invitations } from '../../generated/documents/Invitations';
import { Members } from '../../generated/documents/Members';
import { MutationMemberAdd } from '../../generated/fields';
import { useInvitationCreateMutation, useMemberAddMutation } from '../../generated/hooks';
import type { Role } from '../../generated/operations';
import { RoleValues } from '../../generated/rules';
import { checkArguments } from '../../generated/traitql';
import { failedWith } from '../../shared/api/app-error';
import { roleName } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t as invitation } from '../../shared/i18n/en/invitation';
import { t } from '../../shared/i18n/en/workspace';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Actions, Dialog } from '../../shared/ui/Dialog';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Input, Select } from '../../shared/ui/Field';
import { toast } from '../../shared/ui/toast';
import { LinkView, type NewLink } from '../invitation/LinkView';
import { useWorkspace } from '../workspace/workspace-context';

/** Invites an unknown address, and shows the link. */
export function MemberAddDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [link, setLink] = useState<NewLink | null>(null);
  const change = (next: boolean) => {
    setLink(null);
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={link ? invitation.link.title : t.memberAdd.title}
      description={link ? invitation.link.description(link.invitation.email) : t.memberAdd.description}
    >
      {link ? (
        <LinkView link={link} onDone={() => change(false)} />
      ) : (
        <MemberAddForm onDone={() => change(false)} onInvited={setLink} />
      )}
    </Dialog>
  );
}

function MemberAddForm({ onDone, onInvited }: { onDone: () => void; onInvited: (link: NewLink) => void }) {
  const workspace = useWorkspace();
  const refetchQueries = [
    { query: Members, variables: { slug: workspace.slug } },
    { query: Invitations, variables: { workspaceId: workspace.id } },
  ];
  const [add] = useMemberAddMutation({ refetchQueries });
  const [invite] = useInvitationCreateMutation({ refetchQueries });
  const form = useForm<{ email: string; role: Role }>({
    initial: { email: '', role: 'AUTHOR' },
    check: values => checkArguments(MutationMemberAdd, { workspaceId: workspace.id, ...values }),
    send: async values => {
      const variables = { workspaceId: workspace.id, ...values, email: values.email.trim() };
      if (unknown) {
        const outcome = await runMutation(invite({ variables: { input: variables } }));
        if (!outcome.ok) return outcome.error;
        onInvited(outcome.data.invitationCreate);
        return null;
      }
      const outcome = await runMutation(add({ variables }));
      if (!outcome.ok) return outcome.error;
      toast(t.memberAdd.added(outcome.data.memberAdd.account.name));
      onDone();
      return null;
    },
  });
  // Clears the error, and the offer to invite.
  const unknown = failedWith<'MemberAdd'>(form.error, 'ACCOUNT_UNKNOWN');
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {form.error ? <ErrorNote error={form.error} /> : null}
      <Field label={t.memberAdd.email} error={form.problem('email')}>
        <Input
          type="email"
          value={form.values.email}
          onChange={event => form.set({ email: event.target.value })}
          onBlur={() => form.touch('email')}
          autoComplete="off"
        />
      </Field>
      <Field label={t.memberAdd.role} hint={t.memberAdd.promises[form.values.role]}>
        <Select
          value={form.values.role}
          onChange={event => form.set({ role: RoleValues.find(each => each === event.target.value) ?? 'AUTHOR' })}
        >
          {RoleValues.map(role => (
            <option key={role} value={role}>
              {roleName(role)}
            </option>
          ))}
        </Select>
      </Field>
      <Actions>
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button variant="primary" type="submit" busy={form.busy}>
          {unknown ? t.memberAdd.invite : t.memberAdd.submit}
        </Button>
      </Actions>
    </form>
  );
}
