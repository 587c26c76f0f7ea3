import { DEMO_EVENT, eventSnippet } from '../../../embed/player/page-event';
import { useSiteEventsQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/site';
import { t as ui } from '../../shared/i18n/en/ui';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { Panel } from '../../shared/ui/Card';
import { CodeWithCopy } from '../../shared/ui/Code';
import { Loaded } from '../../shared/ui/Loaded';
import { useWorkspace } from '../workspace/workspace-context';

/** Shows developers if their integration works. */
export function EventsPanel({ siteId }: { siteId: string }) {
  const { slug } = useWorkspace();
  const now = useNow();
  const result = useSiteEventsQuery({ variables: { slug }, fetchPolicy: 'cache-and-network' });
  return (
    <Panel title={t.events.title} description={t.events.description}>
      <Loaded result={result} label={t.events.loading} rows={2}>
        {({ workspace }) => {
          const events = workspace?.sites.find(each => each.id === siteId)?.events ?? [];
          return events.length > 0 ? (
            <ul aria-label={t.events.title} className="grid gap-1">
              {events.map(({ name, lastAt }) => (
                <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <code className="min-w-0 break-all">{name}</code>
                  <span className="text-sm text-muted">{formatAgo(lastAt, now)}</span>
                </li>
              ))}
            </ul>
          ) : (
            <div className="grid gap-2">
              <p className="text-muted">{t.events.none}</p>
              <CodeWithCopy code={eventSnippet(DEMO_EVENT)} label={ui.copyCode} />
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}
