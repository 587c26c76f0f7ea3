import { act } from '../api/act';
import { roleName } from '../api/can';
import { useMemberAddMutation } from '../generated/hooks';
import { Members, type Role } from '../generated/operations';
import { MutationMemberAdd } from '../generated/fields';
import { RoleValues } from '../generated/rules';
import { checkArguments } from '../generated/traitql';
import { useForm } from '../lib/use-form';
import { t as common } from '../texts/common';
import { t } from '../texts/workspace';
import { Button } from '../ui/Button';
import { Actions, Dialog } from '../ui/Dialog';
import { ErrorNote } from '../ui/ErrorPanel';
import { Field, Input, Select } from '../ui/Field';
import { toast } from '../ui/toast';
import { useWorkspace } from './workspace-context';

export function MemberAddDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t.memberAdd.title}
      description={t.memberAdd.description}
    >
      <MemberAddForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}


function MemberAddForm({ onDone }: { onDone: () => void }) {
  const workspace = useWorkspace();
  const [add] = useMemberAddMutation({ refetchQueries: [{ query: Members, variables: { slug: workspace.slug } }] });
  const form = useForm<{ email: string; role: Role }>({
    initial: { email: '', role: 'AUTHOR' },
    check: values => checkArguments(MutationMemberAdd, { workspaceId: workspace.id, ...values }),
    send: async values => {
      const outcome = await act(
        add({ variables: { workspaceId: workspace.id, ...values, email: values.email.trim() } }),
      );
      if (!outcome.ok) return outcome.error;
      toast(t.memberAdd.added(outcome.data.memberAdd.account.name));
      onDone();
      return null;
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {form.error ? <ErrorNote error={form.error} /> : null}
      <Field label={t.memberAdd.email} error={form.problem('email')}>
        <Input
          type="email"
          value={form.values.email}
          onChange={event => form.set({ email: event.target.value })}
          onBlur={() => form.leave('email')}
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
          {t.memberAdd.submit}
        </Button>
      </Actions>
    </form>
  );
}
