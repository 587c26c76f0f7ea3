import { t } from '../../shared/i18n/en/site';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { Light } from '../../shared/ui/Badge';

/** Whether pages of the site ask for their tours. */
export function InstallLight({ site }: { site: { lastSeenAt: string | null } }) {
  const now = useNow();
  switch (installation(site, now)) {
    case 'never':
      return <Light tone="plain">{t.light.never}</Light>;
    case 'live':
      return (
        <Light tone="ok" live>
          {t.light.live}
        </Light>
      );
    case 'quiet':
      return <Light tone="ok">{t.light.quiet(site.lastSeenAt ? formatAgo(site.lastSeenAt, now) : '')}</Light>;
  }
}

/** How lively a site is, from when one of its pages was heard of last. */
export type Installation = 'never' | 'quiet' | 'live';

/** A page was heard of within this time: somebody is on the site now. */
const LIVE_FOR = 2 * 60_000;

export function installation(site: { lastSeenAt: string | null }, now: number): Installation {
  if (!site.lastSeenAt) return 'never';
  return now - new Date(site.lastSeenAt).getTime() < LIVE_FOR ? 'live' : 'quiet';
}
