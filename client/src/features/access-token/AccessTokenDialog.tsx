/** Creates an access token, and shows its secret once. */
import { AccessTokens } from '../../generated/documents/AccessTokens';
import { useAccessTokenCreateMutation } from '../../generated/hooks';
import type { AccessTokenCreateMutation, AccessTokenRole } from '../../generated/operations';
import { AccessTokenCreateInputRules, AccessTokenRoleValues } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { roleName } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/access-token';
import { formatDateTime } from '../../shared/i18n/format';
import { useForm } from '../../shared/lib/use-form';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Input, Select } from '../../shared/ui/Field';
import { OneTimeSecret } from '../../shared/ui/OneTimeSecret';
import { TwoStepDialog } from '../../shared/ui/TwoStepDialog';
import { useWorkspace } from '../workspace/workspace-context';

type NewToken = AccessTokenCreateMutation['accessTokenCreate'];

/** Enough for `waypost push`; only `waypost release` needs more. */
const DEFAULT_ROLE: AccessTokenRole = 'AUTHOR';

interface Values {
  name: string;
  role: AccessTokenRole;
  days: string;
}

export function AccessTokenDialog(dialog: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <TwoStepDialog<NewToken>
      {...dialog}
      form={(onDone, onCreated) => ({
        title: t.create.title,
        description: t.create.description,
        children: <CreateForm onDone={onDone} onCreated={onCreated} />,
      })}
      result={({ secret, accessToken }, onDone) => ({
        title: t.secret.title,
        description: t.secret.description(accessToken.name),
        children: (
          <OneTimeSecret
            value={secret}
            texts={t.secret}
            hint={t.secret.hint(formatDateTime(accessToken.expiresAt))}
            onDone={onDone}
          >
            <p className="text-sm text-muted">{t.secret.use}</p>
          </OneTimeSecret>
        ),
      })}
    />
  );
}

function CreateForm({ onDone, onCreated }: { onDone: () => void; onCreated: (created: NewToken) => void }) {
  const { id: workspaceId } = useWorkspace();
  const [create] = useAccessTokenCreateMutation({
    refetchQueries: [{ query: AccessTokens, variables: { workspaceId } }],
  });
  const inputOf = ({ name, role, days }: Values) => ({
    workspaceId,
    name: name.trim(),
    role,
    days: days.trim() === '' ? Number.NaN : Number(days),
  });
  const form = useForm<Values>({
    initial: { name: '', role: DEFAULT_ROLE, days: '90' },
    check: values => checkInput(AccessTokenCreateInputRules, inputOf(values)),
    send: async values => {
      const outcome = await runMutation(create({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      onCreated(outcome.data.accessTokenCreate);
      return null;
    },
  });
  return (
    <DialogForm form={form} action={t.create.submit} onCancel={onDone}>
      <Field label={t.create.name} hint={t.create.nameHint} error={form.problem('name')}>
        <Input
          value={form.values.name}
          onChange={event => form.set({ name: event.target.value })}
          onBlur={() => form.touch('name')}
          autoComplete="off"
        />
      </Field>
      <Field label={t.create.role}>
        <Select
          value={form.values.role}
          onChange={event =>
            form.set({ role: AccessTokenRoleValues.find(each => each === event.target.value) ?? DEFAULT_ROLE })
          }
        >
          {AccessTokenRoleValues.map(role => (
            <option key={role} value={role}>
              {roleName(role)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t.create.days} error={form.problem('days')}>
        <Input
          type="number"
          inputMode="numeric"
          value={form.values.days}
          onChange={event => form.set({ days: event.target.value })}
          onBlur={() => form.touch('days')}
        />
      </Field>
    </DialogForm>
  );
}
