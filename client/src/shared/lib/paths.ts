/** All paths of the application, for routes and links. */
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
  sites: '/w/$workspace/sites',
  site: '/w/$workspace/sites/$site',
  visitors: '/w/$workspace/visitors',
  visitor: '/w/$workspace/visitors/$visitor',
  members: '/w/$workspace/members',
  audit: '/w/$workspace/audit',
  settings: '/w/$workspace/settings',
} as const;

/** Router ids of the routes whose parameters or search a screen reads. */
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
  site: '/session/signed-in/w/$workspace/sites/$site',
  visitors: '/session/signed-in/w/$workspace/visitors',
  visitor: '/session/signed-in/w/$workspace/visitors/$visitor',
} as const;

// Search parameter of the demo page with the workspace that opened it, for the link from the demo page to the visitor.

const WORKSPACE = 'workspace';

export const demoPath = (siteKey: string, workspace: string): string =>
  `${paths.play}?${String(new URLSearchParams({ key: siteKey, [WORKSPACE]: workspace }))}`;

/**
 * Returns the path of the visitor's page with the explanation for the demo page. Null if the demo page has no
 * workspace.
 */
export function explainPath({ search, href }: Pick<Location, 'search' | 'href'>, visitorId: string): string | null {
  const workspace = new URLSearchParams(search).get(WORKSPACE) ?? '';
  if (!hasFormat('SLUG', workspace)) return null;
  const visitor = paths.visitor.replace('$workspace', workspace).replace('$visitor', encodeURIComponent(visitorId));
  return `${visitor}?${String(new URLSearchParams({ page: href }))}`;
}
