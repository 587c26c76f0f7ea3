/** Every address of the application, in one place: routes are made from these, and links name these. */
export const paths = {
  home: '/',
  workspaces: '/workspaces',
  signIn: '/sign-in',
  signedOut: '/signed-out',
  callback: '/auth/callback',
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

/** The routes whose parameters or search a screen reads, by the names that the router gives them. */
export const routeIds = {
  workspace: '/session/signed-in/w/$workspace',
  tours: '/session/signed-in/w/$workspace/tours',
  tour: '/session/signed-in/w/$workspace/tours/$tour',
  editor: '/session/signed-in/w/$workspace/tours/$tour/',
  revisions: '/session/signed-in/w/$workspace/tours/$tour/revisions',
  insights: '/session/signed-in/w/$workspace/tours/$tour/insights',
  theme: '/session/signed-in/w/$workspace/themes/$theme',
  site: '/session/signed-in/w/$workspace/sites/$site',
  people: '/session/signed-in/w/$workspace/people',
  person: '/session/signed-in/w/$workspace/people/$person',
} as const;
