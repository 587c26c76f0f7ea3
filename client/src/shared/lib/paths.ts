import { hasFormat } from '../../generated/traitql';

export const paths = {
  home: '/',
  workspaces: '/workspaces',
  signIn: '/sign-in',
  signedOut: '/signed-out',
  callback: '/auth/callback',
  invite: '/invite',
  play: '/play',
  playCart: '/play/cart',
  workspace: '/w/$workspace',
  tours: '/w/$workspace/tours',
  tour: '/w/$workspace/tours/$tour',
  revisions: '/w/$workspace/tours/$tour/revisions',
  releases: '/w/$workspace/tours/$tour/releases',
  insights: '/w/$workspace/tours/$tour/insights',
  themes: '/w/$workspace/themes',
  theme: '/w/$workspace/themes/$theme',
  segments: '/w/$workspace/segments',
  segment: '/w/$workspace/segments/$segment',
  sites: '/w/$workspace/sites',
  site: '/w/$workspace/sites/$site',
  visitors: '/w/$workspace/visitors',
  visitor: '/w/$workspace/visitors/$visitor',
  members: '/w/$workspace/members',
  audit: '/w/$workspace/audit',
  settings: '/w/$workspace/settings',
} as const;

export const routeIds = {
  invite: '/session/invite',
  workspace: '/session/signed-in/w/$workspace',
  tours: '/session/signed-in/w/$workspace/tours',
  tour: '/session/signed-in/w/$workspace/tours/$tour',
  editor: '/session/signed-in/w/$workspace/tours/$tour/',
  revisions: '/session/signed-in/w/$workspace/tours/$tour/revisions',
  releases: '/session/signed-in/w/$workspace/tours/$tour/releases',
  insights: '/session/signed-in/w/$workspace/tours/$tour/insights',
  theme: '/session/signed-in/w/$workspace/themes/$theme',
  segment: '/session/signed-in/w/$workspace/segments/$segment',
  sites: '/session/signed-in/w/$workspace/sites',
  site: '/session/signed-in/w/$workspace/sites/$site',
  visitors: '/session/signed-in/w/$workspace/visitors',
  audit: '/session/signed-in/w/$workspace/audit',
  visitor: '/session/signed-in/w/$workspace/visitors/$visitor',
} as const;

// The workspace that opened the demo page.

const WORKSPACE = 'workspace';

export const demoPath = (siteKey: string, workspace: string): string =>
  `${paths.play}?${String(new URLSearchParams({ key: siteKey, [WORKSPACE]: workspace }))}`;

function demoWorkspace({ search }: Pick<Location, 'search'>): string | null {
  const workspace = new URLSearchParams(search).get(WORKSPACE) ?? '';
  return hasFormat('SLUG', workspace) ? workspace : null;
}

/** Returns the home page's path if no workspace opened the demo page. */
export function backPath(location: Pick<Location, 'search'>): string {
  const workspace = demoWorkspace(location);
  return workspace === null ? paths.home : paths.sites.replace('$workspace', workspace);
}

/** Null if no workspace opened the demo page. */
export function explainPath(location: Pick<Location, 'search' | 'href'>, visitorId: string): string | null {
  const workspace = demoWorkspace(location);
  if (workspace === null) return null;
  const visitor = paths.visitor.replace('$workspace', workspace).replace('$visitor', encodeURIComponent(visitorId));
  return `${visitor}?${String(new URLSearchParams({ page: location.href }))}`;
}
