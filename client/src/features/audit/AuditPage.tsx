import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { QueryAudit } from '../../generated/fields';
import { useAuditActorsQuery, useAuditQuery, useSegmentsQuery, useThemesQuery } from '../../generated/hooks';
import { toAppError } from '../../shared/api/app-error';
import { can } from '../../shared/api/permissions';
import { t } from '../../shared/i18n/en/audit';
import { clockTime, formatCount, formatDateTime, formatDay } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { CSV_TYPE } from '../../shared/lib/csv';
import { download } from '../../shared/lib/download';
import { usePageTitle } from '../../shared/lib/hooks';
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
import { useTourChoices } from '../tour/tour-choices';
import { useWorkspace } from '../workspace/workspace-context';
import { auditVariables, type AuditSearch } from './audit-filter';
import { daysOf } from './days';
import { details, fieldName, isAction, sentence, shownSubject, valueName, type Entry } from './entry-text';
import { auditCsv, loadEntries, MAX_EXPORTED } from './export-csv';
import { aroundSubject, objectLink, type Objects } from './object-link';

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
  const result = useAuditQuery({ variables: auditVariables(workspace.id, filter) });
  return (
    <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.loading}>
      {({ audit }) =>
        audit.nodes.length > 0 ? (
          <div className="grid gap-5" aria-busy={result.loading}>
            <Days entries={audit.nodes} />
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

interface Context {
  readonly names: ConditionNames;
  readonly objects: Objects;
}

function useObjects(): Objects {
  const { slug, sites } = useWorkspace();
  const tours = useTourChoices().data ?? [];
  const themes = useThemesQuery({ variables: { slug } }).data?.workspace?.themes ?? [];
  const segments = useSegmentsQuery({ variables: { slug } }).data?.workspace?.segments ?? [];
  return { tours, sites, themes, segments };
}

function Days({ entries }: { entries: readonly Entry[] }) {
  const context: Context = { names: useConditionNames(), objects: useObjects() };
  return daysOf(entries).map(({ day, lines }) => (
    <section key={day} aria-label={formatDay(day)} className="grid gap-2">
      <h2 className="px-1 text-sm font-semibold text-muted">{formatDay(day)}</h2>
      <Card>
        <ol aria-label={t.entriesOf(formatDay(day))}>
          {lines.map(([first, ...others]) =>
            first ? (
              <li key={first.id} className="border-b border-line px-5 py-3.5 last:border-b-0">
                {others.length === 0 ? (
                  <EntryLine entry={first} {...context} />
                ) : (
                  <ManyEntries entries={[first, ...others]} {...context} />
                )}
              </li>
            ) : null,
          )}
        </ol>
      </Card>
    </section>
  ));
}

function ManyEntries({ entries, ...context }: Context & { entries: readonly [Entry, ...Entry[]] }) {
  const [first] = entries;
  const last = entries.at(-1) ?? first;
  return (
    <details>
      <summary>
        <span className="min-w-0 grow wrap-anywhere">
          <strong className="font-semibold">{first.by.name}</strong> {t.together(sentence(first), entries.length - 1)}
        </span>
        <span className="text-sm text-muted">
          {t.times(clockTime(new Date(last.at)), clockTime(new Date(first.at)))}
        </span>
      </summary>
      <ol className="mt-3 grid gap-3 border-l-2 border-line pl-4">
        {entries.map(entry => (
          <li key={entry.id}>
            <EntryLine entry={entry} {...context} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The sentence with a link to the object, if it still exists. */
function Sentence({ entry, objects }: { entry: Entry; objects: Objects }) {
  const { slug: workspace } = useWorkspace();
  const text = sentence(entry);
  const shown = shownSubject(entry);
  const around = aroundSubject(text, shown);
  const link = objectLink(entry, objects);
  if (!around || !link) return text;
  const style = 'underline decoration-line underline-offset-2 hover:decoration-current';
  const content = (() => {
    switch (link.page) {
      case 'tour':
      case 'releases':
      case 'revisions':
        return (
          <Link to={paths[link.page]} params={{ workspace, tour: link.tour }} className={style}>
            {shown}
          </Link>
        );
      case 'site':
        return (
          <Link to={paths.site} params={{ workspace, site: link.id }} className={style}>
            {shown}
          </Link>
        );
      case 'theme':
        return (
          <Link to={paths.theme} params={{ workspace, theme: link.id }} className={style}>
            {shown}
          </Link>
        );
      case 'segment':
        return (
          <Link to={paths.segment} params={{ workspace, segment: link.id }} className={style}>
            {shown}
          </Link>
        );
      case 'visitor':
        return (
          <Link to={paths.visitor} params={{ workspace, visitor: link.id }} className={style}>
            {shown}
          </Link>
        );
      case 'members':
      case 'settings':
        return (
          <Link to={paths[link.page]} params={{ workspace }} className={style}>
            {shown}
          </Link>
        );
      default:
        return link satisfies never;
    }
  })();
  return (
    <>
      {around[0]}
      {content}
      {around[1]}
    </>
  );
}

function EntryLine({ entry, names, objects }: Context & { entry: Entry }) {
  const changes = details(entry);
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0 wrap-anywhere">
          <strong className="font-semibold">{entry.by.name}</strong> <Sentence entry={entry} objects={objects} />
        </span>
        <time dateTime={entry.at} title={formatDateTime(entry.at)} className="text-sm text-muted">
          {clockTime(new Date(entry.at))}
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
