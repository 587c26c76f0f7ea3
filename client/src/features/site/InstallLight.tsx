import { t } from '../../shared/i18n/en/site';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/now';
import { Light } from '../../shared/ui/Badge';
import { installation } from './installation';

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
