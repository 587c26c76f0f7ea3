import { Link } from '@tanstack/react-router';
import type { Workspace } from '../../features/workspace/workspace-context';
import { useViewerQuery } from '../../generated/hooks';
import { roleName } from '../../shared/api/permissions';
import { t } from '../../shared/i18n/en/shell';
import { paths } from '../../shared/lib/paths';
import { Icon } from '../../shared/ui/Icon';
import { Menu, MenuLabel, MenuSeparator, MenuLink } from '../../shared/ui/Menu';

export function WorkspaceSwitcher({ current }: { current: Workspace }) {
  const memberships = useViewerQuery().data?.viewer.memberships ?? [];
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 py-2 text-left shadow-card hover:border-edge"
        >
          <span className="min-w-0 grow">
            <span className="sr-only">{t.switcher.switchFrom}</span>
            <span className="block truncate font-semibold">{current.name}</span>
            <span className="block text-xs text-muted">{t.switcher.yourRole(roleName(current.myRole))}</span>
          </span>
          <Icon name="down" className="size-4 text-muted" />
        </button>
      }
    >
      <MenuLabel>{t.switcher.workspaces}</MenuLabel>
      {memberships.map(({ id, workspace }) => (
        <MenuLink key={id}>
          <Link to={paths.tours} params={{ workspace: workspace.slug }}>
            <span className="grow truncate">{workspace.name}</span>
            {workspace.id === current.id ? <Icon name="check" className="size-4" /> : null}
          </Link>
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuLink>
        <Link to={paths.workspaces}>
          <Icon name="plus" className="size-4" />
          {t.switcher.all}
        </Link>
      </MenuLink>
    </Menu>
  );
}
