import { useState } from 'react';
import { AccessTokens } from '../../generated/documents/AccessTokens';
import { MutationAccessTokenCreate, MutationAccessTokenRevoke } from '../../generated/fields';
import { useAccessTokenRevokeMutation, useAccessTokensQuery } from '../../generated/hooks';
import type { AccessTokenRow_AccessTokenFragment } from '../../generated/operations';
import { roleName } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/access-token';
import { formatDateTime } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { Badge } from '../../shared/ui/Badge';
import { Button, IconButton } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { Loaded } from '../../shared/ui/Loaded';
import { toast } from '../../shared/ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { AccessTokenDialog } from './AccessTokenDialog';

export function AccessTokensPanel() {
  const { id: workspaceId } = useWorkspace();
  const result = useAccessTokensQuery({ variables: { workspaceId }, fetchPolicy: 'cache-and-network' });
  const [creating, setCreating] = useState(false);
  return (
    <Panel
      title={t.list.title}
      description={t.list.description}
      actions={
        <Button
          size="small"
          icon="plus"
          reason={useReason()(MutationAccessTokenCreate)}
          onClick={() => setCreating(true)}
        >
          {t.list.add}
        </Button>
      }
    >
      <Loaded result={result} label={t.list.loading} rows={1}>
        {({ accessTokens }) =>
          accessTokens.length === 0 ? (
            <p className="text-muted">{t.list.empty}</p>
          ) : (
            <ul aria-label={t.list.title} className="-my-3">
              {accessTokens.map(token => (
                <Row key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AccessTokenDialog open={creating} onOpenChange={setCreating} />
    </Panel>
  );
}

function Row({ token: { id, name, role, by, expiresAt, lastUsedAt } }: { token: AccessTokenRow_AccessTokenFragment }) {
  const isExpired = Date.parse(expiresAt) <= useNow();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3 last:border-b-0">
      <div className="min-w-0 grow basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {isExpired ? <Badge tone="signal">{t.list.expired}</Badge> : null}
        </p>
        <p className="text-sm break-words text-muted">
          {[
            t.list.created(roleName(role), by.name),
            t.list.until(formatDateTime(expiresAt)),
            lastUsedAt ? t.list.lastUsed(formatDateTime(lastUsedAt)) : t.list.neverUsed,
          ].join(' · ')}
        </p>
      </div>
      <RevokeButton id={id} name={name} />
    </li>
  );
}

function RevokeButton({ id, name }: { id: string; name: string }) {
  const { id: workspaceId } = useWorkspace();
  const [confirming, setConfirming] = useState(false);
  const [revoke] = useAccessTokenRevokeMutation({
    refetchQueries: [{ query: AccessTokens, variables: { workspaceId } }],
  });
  return (
    <>
      <IconButton
        label={t.list.revokeLabel(name)}
        icon="trash"
        reason={useReason()(MutationAccessTokenRevoke)}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.list.revokeTitle(name)}
        action={t.list.revoke}
        onConfirm={async () => {
          const outcome = await runMutation(revoke({ variables: { id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.list.revoked(name));
          return null;
        }}
      >
        {t.list.revokeText}
      </Confirm>
    </>
  );
}
