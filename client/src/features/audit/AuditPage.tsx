import { QueryAudit } from '../../generated/fields';
import { useAuditQuery } from '../../generated/hooks';
import type { AuditQuery } from '../../generated/operations';
import { can } from '../../shared/api/permissions';
import { t } from '../../shared/i18n/en/audit';
import { formatDateTime, formatAgo } from '../../shared/i18n/format';
import { useNow, usePageTitle } from '../../shared/lib/hooks';
import { Card } from '../../shared/ui/Card';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Icon } from '../../shared/ui/Icon';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Page } from '../../shared/ui/Page';
import { useWorkspace } from '../workspace/workspace-context';
import { actionName, fieldName, valueName } from './action-name';

type Entry = AuditQuery['audit']['nodes'][number];

export function AuditPage() {
  usePageTitle(t.title);
  const { myRole } = useWorkspace();
  const permission = can(QueryAudit, myRole);
  return (
    <Page title={t.title} description={t.description}>
      {permission.allowed ? <Entries /> : <EmptyState title={t.forAdministrators}>{permission.reason}</EmptyState>}
    </Page>
  );
}

function Entries() {
  const workspace = useWorkspace();
  const now = useNow();
  const result = useAuditQuery({ variables: { workspaceId: workspace.id } });
  return (
    <Loaded result={result} label={t.loading}>
      {({ audit }) =>
        audit.nodes.length === 0 ? (
          <EmptyState title={t.empty}>{t.emptyText}</EmptyState>
        ) : (
          <div className="grid gap-3">
            <Card>
              <ol aria-label={t.entries}>
                {audit.nodes.map(entry => (
                  <li key={entry.id} className="border-b border-line px-5 py-3.5 last:border-b-0">
                    <EntryLine entry={entry} now={now} />
                  </li>
                ))}
              </ol>
            </Card>
            {audit.pageInfo.hasNextPage ? (
              <MoreButton onMore={() => result.fetchMore({ variables: { after: audit.pageInfo.endCursor } })} />
            ) : null}
          </div>
        )
      }
    </Loaded>
  );
}

function EntryLine({ entry, now }: { entry: Entry; now: number }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0">
          <strong className="font-semibold">{entry.by.name}</strong> {actionName(entry.action)}{' '}
          <span className="font-medium break-words">{t.quoted(entry.subject)}</span>
        </span>
        <time dateTime={entry.at} title={formatDateTime(entry.at)} className="text-sm text-muted">
          {formatAgo(entry.at, now)}
        </time>
      </p>
      {entry.changes.length > 0 ? (
        <ul aria-label={t.changes} className="mt-1 grid gap-0.5 text-sm text-muted">
          {entry.changes.map(change => (
            <li key={change.field} className="break-words">
              {fieldName(change.field)}:{' '}
              {change.before === null ? null : (
                <>
                  {valueName(change.field, change.before)} <span className="sr-only">{t.became}</span>
                  {/* An icon, because the font has no arrow. */}
                  <Icon name="forward" className="inline size-3.5" />{' '}
                </>
              )}
              <span className="text-ink">{valueName(change.field, change.after)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
