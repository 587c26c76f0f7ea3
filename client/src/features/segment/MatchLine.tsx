import { useState } from 'react';
import { useVisitorMatchesQuery } from '../../generated/hooks';
import type { ConditionInput } from '../../generated/operations';
import { t } from '../../shared/i18n/en/segment';
import { useDebouncedValue } from '../../shared/lib/hooks';
import { Select } from '../../shared/ui/Field';
import { defaultSite } from '../visitor/defaults';
import { formatMatches } from '../visitor/format-matches';
import { SiteOptions } from '../workspace/SiteOptions';
import { useWorkspace } from '../workspace/workspace-context';

export function MatchLine({ when, isValid }: { when: ConditionInput | null; isValid: boolean }) {
  const { sites } = useWorkspace();
  const [siteId, setSiteId] = useState<string | null>(null);
  const site = sites.find(each => each.id === siteId) ?? defaultSite(sites);
  if (!site) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Matches siteId={site.id} when={when} isValid={isValid} />
      {sites.length > 1 ? (
        <label className="flex max-w-full flex-wrap items-center gap-2 text-muted">
          {t.matches.site}
          <Select
            value={site.id}
            className="w-auto max-w-full text-ink"
            onChange={event => setSiteId(event.target.value)}
          >
            <SiteOptions />
          </Select>
        </label>
      ) : null}
    </div>
  );
}

function Matches({ siteId, when, isValid }: { siteId: string; when: ConditionInput | null; isValid: boolean }) {
  const current = { when, isValid };
  const settled = useDebouncedValue(current);
  const { data, previousData, error } = useVisitorMatchesQuery({
    variables: { siteId, when: settled.when },
    skip: !settled.isValid,
    fetchPolicy: 'cache-and-network',
  });
  const count = (data ?? previousData)?.visitorMatches;
  const isCurrent = data !== undefined && isValid && JSON.stringify(settled) === JSON.stringify(current);
  return (
    <output className={isCurrent ? '' : 'text-muted'} aria-busy={!isCurrent}>
      {error ? t.matches.failed : count ? formatMatches(count) : t.matches.loading}
    </output>
  );
}
