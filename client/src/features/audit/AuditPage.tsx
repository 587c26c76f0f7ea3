import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { QueryAudit } from '../../generated/fields';
import { useAuditActorsQuery, useAuditQuery } from '../../generated/hooks';
import { toAppError } from '../../shared/api/app-error';
import { can } from '../../shared/api/permissions';
import { t } from '../../shared/i18n/en/audit';
import { formatAgo, formatCount, formatDateTime } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { CSV_TYPE } from '../../shared/lib/csv';
import { download } from '../../shared/lib/download';
import { useNow, usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { Card } from '../../shared/ui/Card';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Field, Input, Select } from '../../shared/ui/Field';
import { Icon } from '../../shared/ui/Icon';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { Page } from '../../shared/ui/Page';
import { SearchField } from '../../shared/ui/SearchField';
import { toast } from '../../shared/ui/toast';
import { useConditionNames } from '../tour/condition-names';
import type { ConditionNames } from '../tour/condition-tree';
import { useWorkspace } from '../workspace/workspace-context';
import { auditVariables, type AuditSearch } from './audit-filter';
import { details, fieldName, isAction, sentence, valueName, type Entry } from './entry-text';
import { auditCsv, loadEntries, MAX_EXPORTED } from './export-csv';

export function AuditPage() {
  usePageTitle(t.title);
  const { myRole } = useWorkspace();
  const permission = can(QueryAudit, myRole);
  return (
    <Page title={t.title} description={t.description} actions={permission.allowed ? <ExportButton /> : null}>
      {permission.allowed ? (
        <>
          <Filter />
          <Entries />
        </>
      ) : (
        <EmptyState title={t.forAdministrators}>{permission.reason}</EmptyState>
      )}
    </Page>
  );
}

function useAuditSearch() {
  const filter = useSearch({ from: routeIds.audit });
  const navigate = useNavigate({ from: paths.audit });
  const set = (name: keyof AuditSearch, value: string) =>
    void navigate({
      search: ({ [name]: _, ...rest }) => (value ? { ...rest, [name]: value } : rest),
      replace: true,
    });
  return { filter, set, clear: () => void navigate({ search: {}, replace: true }) };
}

function ExportButton() {
  const workspace = useWorkspace();
  const { filter } = useAuditSearch();
  const names = useConditionNames();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      busy={busy}
      onClick={async () => {
        setBusy(true);
        try {
          const { entries, isComplete } = await loadEntries(auditVariables(workspace.id, filter));
          const day = new Date().toISOString().slice(0, 10);
          download(`${workspace.slug}-audit-${day}.csv`, auditCsv(entries, names), CSV_TYPE);
          if (!isComplete) toast(t.exportTooLong(formatCount(MAX_EXPORTED)));
        } catch (failure) {
          toast(toAppError(failure).message, { tone: 'danger' });
        }
        setBusy(false);
      }}
    >
      {t.export}
    </Button>
  );
}

function Filter() {
  const workspace = useWorkspace();
  const { filter, set } = useAuditSearch();
  const actors = useAuditActorsQuery({ variables: { workspaceId: workspace.id } }).data?.auditActors ?? [];
  const { search: _, ...others } = filter;
  // On a phone, where they would fill the screen.
  const [isOpen, setOpen] = useState(Object.keys(others).length > 0);
  const id = useId();
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <SearchField
        label={t.search}
        placeholder={t.searchPlaceholder}
        value={filter.search ?? ''}
        onChange={next => set('search', next)}
      />
      <Button
        icon={isOpen ? 'up' : 'down'}
        className="sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {t.filters}
      </Button>
      <div id={id} className={cx('w-full flex-wrap items-end gap-x-4 gap-y-3 sm:contents', isOpen ? 'flex' : 'hidden')}>
        <Field label={t.by} className="w-full sm:w-36">
          <Select value={filter.by ?? ''} onChange={event => set('by', event.target.value)}>
            <option value="">{t.anyone}</option>
            {actors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t.action} className="w-full sm:w-48">
          <Select value={filter.action ?? ''} onChange={event => set('action', event.target.value)}>
            <option value="">{t.anyAction}</option>
            {(Object.keys(t.nouns) as (keyof typeof t.nouns)[]).map(noun => (
              <optgroup key={noun} label={t.nouns[noun]}>
                {Object.keys(t.actions)
                  .filter(isAction)
                  .filter(action => action.startsWith(`${noun}.`))
                  .map(action => (
                    <option key={action} value={action}>
                      {t.actions[action]}
                    </option>
                  ))}
              </optgroup>
            ))}
          </Select>
        </Field>
        <Field label={t.from}>
          <Input
            type="date"
            value={filter.from ?? ''}
            max={filter.to}
            onChange={event => set('from', event.target.value)}
          />
        </Field>
        <Field label={t.to}>
          <Input
            type="date"
            value={filter.to ?? ''}
            min={filter.from}
            onChange={event => set('to', event.target.value)}
          />
        </Field>
      </div>
    </div>
  );
}

function Entries() {
  const workspace = useWorkspace();
  const { filter, clear } = useAuditSearch();
  const now = useNow();
  const names = useConditionNames();
  const result = useAuditQuery({ variables: auditVariables(workspace.id, filter) });
  return (
    <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.loading}>
      {({ audit }) =>
        audit.nodes.length > 0 ? (
          <div className="grid gap-3" aria-busy={result.loading}>
            <Card>
              <ol aria-label={t.entries}>
                {audit.nodes.map(entry => (
                  <li key={entry.id} className="border-b border-line px-5 py-3.5 last:border-b-0">
                    <EntryLine entry={entry} now={now} names={names} />
                  </li>
                ))}
              </ol>
            </Card>
            {audit.pageInfo.hasNextPage ? (
              <MoreButton onMore={() => result.fetchMore({ variables: { after: audit.pageInfo.endCursor } })} />
            ) : null}
          </div>
        ) : Object.keys(filter).length > 0 ? (
          <EmptyState title={t.noMatch} action={<Button onClick={clear}>{t.showAll}</Button>}>
            {t.noMatchText}
          </EmptyState>
        ) : (
          <EmptyState title={t.empty}>{t.emptyText}</EmptyState>
        )
      }
    </Loaded>
  );
}

function EntryLine({ entry, now, names }: { entry: Entry; now: number; names: ConditionNames }) {
  const changes = details(entry);
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0 wrap-anywhere">
          <strong className="font-semibold">{entry.by.name}</strong> {sentence(entry)}
        </span>
        <time dateTime={entry.at} title={formatDateTime(entry.at)} className="text-sm text-muted">
          {formatAgo(entry.at, now)}
        </time>
      </p>
      {changes.length > 0 ? (
        <ul aria-label={t.changes} className="mt-1 grid gap-0.5 text-sm text-muted">
          {changes.map(change => (
            <li key={change.field} className="wrap-anywhere">
              {fieldName(change.field)}:{' '}
              {change.before === null ? null : (
                <>
                  {valueName(change.field, change.before, names)} <span className="sr-only">{t.became}</span>
                  {/* An icon, because the font has no arrow. */}
                  <Icon name="forward" className="inline size-3.5" />{' '}
                </>
              )}
              <span className="text-ink">{valueName(change.field, change.after, names)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
