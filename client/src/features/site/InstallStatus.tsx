import { t } from '../../shared/i18n/en/site';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { StatusDot } from '../../shared/ui/Badge';
import { useWorkspace } from '../workspace/workspace-context';

export function InstallStatus({ site }: { site: { own: boolean; lastSeenAt: string | null } }) {
  const now = useNow();
  const { sample } = useWorkspace();
  switch (installation(site, now)) {
    case 'never':
      return <StatusDot tone="plain">{t.light[site.own ? 'own' : sample ? 'sample' : 'never']}</StatusDot>;
    case 'live':
      return (
        <StatusDot tone="ok" live>
          {t.light.live}
        </StatusDot>
      );
    case 'idle':
      return <StatusDot tone="ok">{t.light.idle(site.lastSeenAt ? formatAgo(site.lastSeenAt, now) : '')}</StatusDot>;
  }
}

export type Installation = 'never' | 'idle' | 'live';

const LIVE_PERIOD_MS = 2 * 60_000;

export function installation(site: { lastSeenAt: string | null }, now: number): Installation {
  if (!site.lastSeenAt) return 'never';
  return now - new Date(site.lastSeenAt).getTime() < LIVE_PERIOD_MS ? 'live' : 'idle';
}
