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
  people: '/w/$workspace/people',
  person: '/w/$workspace/people/$person',
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
  people: '/session/signed-in/w/$workspace/people',
  person: '/session/signed-in/w/$workspace/people/$person',
} as const;

// Search parameter of the demo page with the workspace that opened it, for the link from the demo page to the visitor.

const WORKSPACE = 'workspace';

/** Returns the path of the demo page for a site. */
export const demoPath = (siteKey: string, workspace: string): string =>
  `${paths.play}?${String(new URLSearchParams({ key: siteKey, [WORKSPACE]: workspace }))}`;

/**
 * Returns the path of the visitor's page with the explanation for the demo page. Null if the demo page has no
 * workspace.
 */
export function explainPath({ search, href }: Pick<Location, 'search' | 'href'>, participantId: string): string | null {
  const workspace = new URLSearchParams(search).get(WORKSPACE) ?? '';
  if (!hasFormat('SLUG', workspace)) return null;
  const person = paths.person.replace('$workspace', workspace).replace('$person', encodeURIComponent(participantId));
  return `${person}?${String(new URLSearchParams({ page: href }))}`;
}
