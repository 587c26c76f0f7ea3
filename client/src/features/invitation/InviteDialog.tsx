import { Invitations } from '../../generated/documents/Invitations';
import { useInvitationCreateMutation } from '../../generated/hooks';
import type { Role } from '../../generated/operations';
import { InvitationCreateInputRules, RoleValues } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { roleName } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/invitation';
import { useForm } from '../../shared/lib/use-form';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Input, Select } from '../../shared/ui/Field';
import { TwoStepDialog } from '../../shared/ui/TwoStepDialog';
import { useWorkspace } from '../workspace/workspace-context';
import { LinkView, type NewLink } from './LinkView';

interface Values {
  email: string;
  role: Role;
}

export function InviteDialog(dialog: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <TwoStepDialog<NewLink>
      {...dialog}
      form={(onDone, onInvited) => ({
        title: t.create.title,
        description: t.create.description,
        children: <InviteForm onDone={onDone} onInvited={onInvited} />,
      })}
      result={(link, onDone) => ({
        title: t.link.title,
        description: t.link.description(link.invitation.email),
        children: <LinkView link={link} onDone={onDone} />,
      })}
    />
  );
}

function InviteForm({ onDone, onInvited }: { onDone: () => void; onInvited: (link: NewLink) => void }) {
  const workspace = useWorkspace();
  const [invite] = useInvitationCreateMutation({
    refetchQueries: [{ query: Invitations, variables: { workspaceId: workspace.id } }],
  });
  const inputOf = (values: Values) => ({ workspaceId: workspace.id, ...values, email: values.email.trim() });
  const form = useForm<Values>({
    initial: { email: '', role: 'AUTHOR' },
    check: values => checkInput(InvitationCreateInputRules, inputOf(values)),
    send: async values => {
      const outcome = await runMutation(invite({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      onInvited(outcome.data.invitationCreate);
      return null;
    },
  });
  return (
    <DialogForm form={form} action={t.create.submit} onCancel={onDone}>
      <Field label={t.create.email} error={form.problem('email')}>
        <Input
          type="email"
          value={form.values.email}
          onChange={event => form.set({ email: event.target.value })}
          onBlur={() => form.touch('email')}
          autoComplete="off"
        />
      </Field>
      <Field label={t.create.role} hint={t.create.promises[form.values.role]}>
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
    </DialogForm>
  );
}
