import { formatAgo } from '../lib/format';
import { useNow } from '../lib/now';
import { Light } from '../ui/Badge';
import { installation } from './installation';

/** Whether pages of the site ask for their tours. */
export function InstallLight({ site }: { site: { lastSeenAt: string | null } }) {
  const now = useNow();
  switch (installation(site, now)) {
    case 'never':
      return <Light tone="plain">Not installed yet</Light>;
    case 'live':
      return (
        <Light tone="ok" live>
          Live: seen just now
        </Light>
      );
    case 'quiet':
      return <Light tone="ok">Installed, seen {site.lastSeenAt ? formatAgo(site.lastSeenAt, now) : ''}</Light>;
  }
}
