import { MutationSiteUpdate } from '../../generated/fields';
import { useSiteRefusedOriginsQuery, useSiteUpdateMutation } from '../../generated/hooks';
import type { SiteCard_SiteFragment } from '../../generated/operations';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/site';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { toast } from '../../shared/ui/toast';
import { useReason } from '../workspace/workspace-context';

/** Shows origins whose pages cannot use the key of the site, if there are any. */
export function RefusedOriginsPanel({ site }: { site: SiteCard_SiteFragment }) {
  const now = useNow();
  const reason = useReason()(MutationSiteUpdate);
  const { data } = useSiteRefusedOriginsQuery({ variables: { id: site.id }, fetchPolicy: 'cache-and-network' });
  const [update, { loading }] = useSiteUpdateMutation();
  // The subscription updates the site before the query is repeated.
  const refused = data?.site?.refusedOrigins.filter(({ origin }) => !site.origins.includes(origin)) ?? [];
  const add = async (origin: string) => {
    const { id, version: expectedVersion } = site;
    const input = { id, expectedVersion, origins: [...site.origins, origin] };
    const outcome = await runMutation(update({ variables: { input } }));
    toast(outcome.ok ? t.refused.added(origin) : outcome.error.message, outcome.ok ? {} : { tone: 'danger' });
  };
  if (refused.length === 0) return null;
  return (
    <Panel title={t.refused.title} description={t.refused.description}>
      <ul aria-label={t.refused.title} className="grid gap-3">
        {refused.map(({ origin, count, lastAt }) => (
          <li key={origin} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span className="min-w-0">
              <code className="break-all">{origin}</code>
              <span className="block text-sm text-muted">{t.refused.requests(count, formatAgo(lastAt, now))}</span>
            </span>
            <Button
              size="small"
              icon="plus"
              reason={reason}
              busy={loading}
              aria-label={t.refused.add(origin)}
              onClick={() => void add(origin)}
            >
              {t.page.allowDemo}
            </Button>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">{t.refused.warning}</p>
    </Panel>
  );
}
