import type { t } from '../../shared/i18n/en/shell';
import { paths } from '../../shared/lib/paths';
import type { IconName } from '../../shared/ui/Icon';

/** The places of a workspace, in the order of the navigation. */
export const links = [
  { to: paths.tours, icon: 'tours', name: 'tours', tour: 'nav-tours' },
  { to: paths.themes, icon: 'themes', name: 'themes', tour: 'nav-themes' },
  { to: paths.sites, icon: 'sites', name: 'sites', tour: 'nav-sites' },
  { to: paths.people, icon: 'person', name: 'people', tour: 'nav-people' },
  { to: paths.members, icon: 'members', name: 'members', tour: 'nav-members' },
  { to: paths.audit, icon: 'audit', name: 'audit', tour: 'nav-audit' },
  { to: paths.settings, icon: 'settings', name: 'settings', tour: 'nav-settings' },
] as const satisfies readonly { to: string; icon: IconName; name: keyof typeof t.nav; tour: string }[];
