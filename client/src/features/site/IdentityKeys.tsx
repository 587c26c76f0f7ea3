import { useState } from 'react';
import { MutationIdentityKeyCreate, MutationIdentityKeyRevoke } from '../../generated/fields';
import { useIdentityKeyCreateMutation, useIdentityKeyRevokeMutation } from '../../generated/hooks';
import type { IdentityMode, SiteIdentity_SiteFragment } from '../../generated/operations';
import { checkArguments } from '../../generated/traitql';
import type { AppError } from '../../shared/api/app-error';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/site';
import { formatAgo, formatDateTime } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Confirm } from '../../shared/ui/Confirm';
import { Dialog } from '../../shared/ui/Dialog';
import { DialogForm } from '../../shared/ui/DialogForm';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Textarea } from '../../shared/ui/Field';
import { OneTimeSecret } from '../../shared/ui/OneTimeSecret';
import { useReason } from '../workspace/workspace-context';

const MAX_KEYS = 2;

export function IdentityKeys({ site, mode }: { site: SiteIdentity_SiteFragment; mode: IdentityMode }) {
  const now = useNow();
  const addReason = useReason()(MutationIdentityKeyCreate);
  const revokeReason = useReason()(MutationIdentityKeyRevoke);
  const [create, { loading }] = useIdentityKeyCreateMutation();
  const [revoke] = useIdentityKeyRevokeMutation();
  const [error, setError] = useState<AppError | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<string | null>(null);
  const keys = site.identityKeys;
  const blocked = addReason ?? (keys.length >= MAX_KEYS ? t.identity.full : null);
  return (
    <div className="grid gap-3">
      <h3 className="text-sm font-medium">{t.identity.keys}</h3>
      {error ? <ErrorNote error={error} /> : null}
      {keys.length === 0 ? <p className="text-sm text-muted">{t.identity.noKeys}</p> : null}
      <ul aria-label={t.identity.keys} className="grid gap-3">
        {keys.map(({ id, algorithm, createdAt, lastUsedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span>
              <span className="block">{t.identity.algorithms[algorithm]}</span>
              <span className="block text-sm text-muted">
                {t.identity.created(formatDateTime(createdAt))}{' '}
                {lastUsedAt ? t.identity.used(formatAgo(lastUsedAt, now)) : t.identity.unused}
              </span>
            </span>
            <Button size="small" reason={revokeReason} onClick={() => setRevoking(id)}>
              {t.identity.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon="plus"
          reason={blocked}
          busy={loading && !isAdding}
          onClick={async () => {
            const outcome = await runMutation(create({ variables: { siteId: site.id } }));
            setError(outcome.ok ? null : outcome.error);
            if (outcome.ok) setSecret(outcome.data.identityKeyCreate.secret);
          }}
        >
          {t.identity.addSecret}
        </Button>
        <Button size="small" icon="plus" reason={blocked} onClick={() => setAdding(true)}>
          {t.identity.addPublicKey}
        </Button>
      </div>
      <Dialog
        open={secret !== null}
        onOpenChange={() => setSecret(null)}
        title={t.identity.secretTitle}
        description={t.identity.secretText}
      >
        <OneTimeSecret
          value={secret ?? ''}
          texts={{ label: t.identity.secret, copy: t.identity.copySecret, done: t.identity.done }}
          onDone={() => setSecret(null)}
        />
      </Dialog>
      <Dialog open={isAdding} onOpenChange={setAdding} title={t.identity.addPublicKey}>
        <PublicKeyForm siteId={site.id} onDone={() => setAdding(false)} />
      </Dialog>
      <Confirm
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title={t.identity.revokeTitle}
        action={t.identity.revoke}
        onConfirm={async () => {
          const outcome = await runMutation(revoke({ variables: { siteId: site.id, id: revoking ?? '' } }));
          return outcome.ok ? null : outcome.error;
        }}
      >
        {t.identity.revokeText} {keys.length === 1 && mode !== 'OFF' ? t.identity.revokeLast : null}
      </Confirm>
    </div>
  );
}

function PublicKeyForm({ siteId, onDone }: { siteId: string; onDone: () => void }) {
  const [create] = useIdentityKeyCreateMutation();
  const form = useForm({
    initial: { publicKey: '' },
    check: values => checkArguments(MutationIdentityKeyCreate, { siteId, ...values }),
    send: async values => {
      const outcome = await runMutation(create({ variables: { siteId, ...values } }));
      if (outcome.ok) onDone();
      return outcome.ok ? null : outcome.error;
    },
  });
  return (
    <DialogForm form={form} action={t.identity.add} onCancel={onDone}>
      <Field label={t.identity.publicKey} hint={t.identity.publicKeyHint} error={form.problem('publicKey')}>
        <Textarea
          value={form.values.publicKey}
          rows={5}
          spellCheck={false}
          className="font-mono"
          onChange={event => form.set({ publicKey: event.target.value })}
          onBlur={() => form.touch('publicKey')}
        />
      </Field>
    </DialogForm>
  );
}
