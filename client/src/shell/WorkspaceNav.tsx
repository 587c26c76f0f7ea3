import { Link } from '@tanstack/react-router';
import { useInstanceQuery } from '../generated/hooks';
import { paths } from '../paths';
import { Icon, type IconName } from '../ui/Icon';
import type { Workspace } from '../workspace/workspace-context';

const links = [
  { to: paths.tours, icon: 'tours', name: 'Tours', tour: 'nav-tours' },
  { to: paths.themes, icon: 'themes', name: 'Themes', tour: 'nav-themes' },
  { to: paths.sites, icon: 'sites', name: 'Sites', tour: 'nav-sites' },
  { to: paths.members, icon: 'members', name: 'Members', tour: 'nav-members' },
  { to: paths.audit, icon: 'audit', name: 'Audit', tour: 'nav-audit' },
  { to: paths.settings, icon: 'settings', name: 'Settings', tour: 'nav-settings' },
] as const satisfies readonly { to: string; icon: IconName; name: string; tour: string }[];

export function WorkspaceNav({ workspace }: { workspace: Workspace }) {
  return (
    <div className="flex grow flex-col justify-between gap-5">
      <nav aria-label="Workspace">
        <ul className="grid gap-0.5">
          {links.map(({ to, icon, name, tour }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ workspace: workspace.slug }}
                data-tour={tour}
                className="flex items-center gap-3 rounded-control px-2.5 py-2 font-medium text-muted hover:bg-surface/70 hover:text-ink data-[status=active]:bg-surface data-[status=active]:text-ink data-[status=active]:shadow-card"
              >
                <Icon name={icon} />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <SourceLink />
    </div>
  );
}

/** AGPL-3.0, section 13: whoever uses it over a network is offered its source. */
function SourceLink() {
  const instance = useInstanceQuery({ context: { anonymous: true } }).data?.instance;
  if (!instance) return null;
  return (
    <p className="px-2.5 text-xs text-muted">
      Waypost {instance.version} ·{' '}
      <a href={instance.sourceUrl} className="underline underline-offset-2 hover:text-ink">
        Source code
      </a>
    </p>
  );
}
