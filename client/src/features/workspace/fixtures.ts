import type { Workspace } from './workspace-context';

export const emptyWorkspace: Workspace = {
  id: 'w',
  slug: 'acme',
  name: 'Acme',
  myRole: 'ADMIN',
  version: 1,
  requireReview: false,
  sample: false,
  reviewsWaiting: [],
  sites: [],
  themes: [],
};
