import { Link } from '@tanstack/react-router';
import { countBroken } from '../../features/workspace/broken-tours';
import type { Workspace } from '../../features/workspace/workspace-context';
import { QueryAudit } from '../../generated/fields';
import { useInstanceQuery } from '../../generated/hooks';
import { can, type RoleName } from '../../shared/api/permissions';
import { t } from '../../shared/i18n/en/shell';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Icon, type IconName } from '../../shared/ui/Icon';
import { ReviewInbox } from './ReviewInbox';

const links = [
  { to: paths.tours, icon: 'tours', name: 'tours', tour: 'nav-tours' },
  { to: paths.themes, icon: 'themes', name: 'themes', tour: 'nav-themes' },
  { to: paths.sites, icon: 'sites', name: 'sites', tour: 'nav-sites' },
  { to: paths.visitors, icon: 'person', name: 'visitors', tour: 'nav-visitors' },
  { to: paths.segments, icon: 'segments', name: 'segments', tour: 'nav-segments' },
  { to: paths.members, icon: 'members', name: 'members', tour: 'nav-members' },
  { to: paths.audit, icon: 'audit', name: 'audit', tour: 'nav-audit' },
  { to: paths.settings, icon: 'settings', name: 'settings', tour: 'nav-settings' },
] as const satisfies readonly { to: string; icon: IconName; name: keyof typeof t.nav; tour: string }[];

/** Omits the pages that the role cannot read. */
export const linksFor = (role: RoleName) =>
  links.filter(({ name }) => name !== 'audit' || can(QueryAudit, role).allowed);

export function WorkspaceNav({ workspace }: { workspace: Workspace }) {
  const broken = countBroken(workspace.sites);
  return (
    <div className="flex grow flex-col justify-between gap-5">
      <div className="grid content-start gap-3">
        <ReviewInbox workspace={workspace} />
        <nav aria-label={t.frame.navigation}>
          <ul className="grid gap-0.5">
            {linksFor(workspace.myRole).map(({ to, icon, name, tour }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ workspace: workspace.slug }}
                  data-tour={tour}
                  className="flex items-center gap-3 rounded-control px-2.5 py-2 font-medium text-muted hover:bg-surface/70 hover:text-ink data-[status=active]:bg-surface data-[status=active]:text-ink data-[status=active]:shadow-card"
                >
                  <Icon name={icon} />
                  {t.nav[name]}
                  {name === 'tours' && broken > 0 ? (
                    <span className="ml-auto">
                      <Badge tone="danger">
                        <span aria-hidden="true">{broken}</span>
                        <span className="sr-only">{t.frame.brokenTours(broken)}</span>
                      </Badge>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <SourceLink />
    </div>
  );
}

/** AGPL-3.0, section 13, requires it. */
function SourceLink() {
  const instance = useInstanceQuery({ context: { anonymous: true } }).data?.instance;
  if (!instance) return null;
  return (
    <p className="px-2.5 text-xs text-muted">
      Waypost {instance.version} ·{' '}
      <a href={instance.sourceUrl} className="underline underline-offset-2 hover:text-ink">
        {t.frame.sourceCode}
      </a>
    </p>
  );
}
