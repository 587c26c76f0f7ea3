import { can } from '../api/can';
import { useAuditQuery } from '../generated/hooks';
import type { AuditQuery } from '../generated/operations';
import { QueryAudit } from '../generated/fields';
import { formatDateTime, formatAgo } from '../lib/format';
import { useNow } from '../lib/now';
import { usePageTitle } from '../lib/page-title';
import { Card } from '../ui/Card';
import { EmptyState } from '../ui/EmptyState';
import { Loaded } from '../ui/Loaded';
import { MoreButton } from '../ui/MoreButton';
import { Page } from '../ui/Page';
import { useWorkspace } from '../workspace/workspace-context';
import { actionName } from './action-name';

type Entry = AuditQuery['audit']['nodes'][number];

export function AuditPage() {
  usePageTitle('Audit');
  const { myRole } = useWorkspace();
  const permission = can(QueryAudit, myRole);
  return (
    <Page title="Audit" description="Who did what, and when. Entries are written with the change itself and stay.">
      {permission.allowed ? <Entries /> : <EmptyState title="For administrators">{permission.reason}</EmptyState>}
    </Page>
  );
}

function Entries() {
  const workspace = useWorkspace();
  const now = useNow();
  const result = useAuditQuery({ variables: { workspaceId: workspace.id } });
  return (
    <Loaded result={result} label="Loading the audit entries">
      {({ audit }) =>
        audit.nodes.length === 0 ? (
          <EmptyState title="Nothing has happened yet">Every change to this workspace appears here.</EmptyState>
        ) : (
          <div className="grid gap-3">
            <Card>
              <ol aria-label="Audit entries, newest first">
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
          <span className="font-medium break-words">“{entry.subject}”</span>
        </span>
        <time dateTime={entry.at} title={formatDateTime(entry.at)} className="text-sm text-muted">
          {formatAgo(entry.at, now)}
        </time>
      </p>
      {entry.changes.length > 0 ? (
        <ul aria-label="Changes" className="mt-1 grid gap-0.5 text-sm text-muted">
          {entry.changes.map(change => (
            <li key={change.field} className="break-words">
              {change.field}: {change.before ?? '–'} → <span className="text-ink">{change.after ?? '–'}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
