import { paths } from '../paths';
import type { IconName } from '../ui/Icon';

/** The places of a workspace, in the order of the navigation. */
export const links = [
  { to: paths.tours, icon: 'tours', name: 'Tours', tour: 'nav-tours' },
  { to: paths.themes, icon: 'themes', name: 'Themes', tour: 'nav-themes' },
  { to: paths.sites, icon: 'sites', name: 'Sites', tour: 'nav-sites' },
  { to: paths.members, icon: 'members', name: 'Members', tour: 'nav-members' },
  { to: paths.audit, icon: 'audit', name: 'Audit', tour: 'nav-audit' },
  { to: paths.settings, icon: 'settings', name: 'Settings', tour: 'nav-settings' },
] as const satisfies readonly { to: string; icon: IconName; name: string; tour: string }[];
