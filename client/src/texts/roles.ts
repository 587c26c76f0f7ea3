import { catalogue } from '../lib/language';

const english = {
  names: { VIEWER: 'viewer', AUTHOR: 'author', PUBLISHER: 'publisher', ADMIN: 'administrator' },
  needs: (needed: string, own: string) => `Requires the ${needed} role. Your role is ${own}.`,
};

export type RolesTexts = typeof english;
export const t = catalogue('roles', english);
