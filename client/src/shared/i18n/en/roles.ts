import { defineMessages } from '../messages';

const english = {
  names: { VIEWER: 'viewer', AUTHOR: 'author', PUBLISHER: 'publisher', ADMIN: 'administrator' },
  needs: (needed: string, own: string) => `This needs the ${needed} role; your role is ${own}.`,
};

export type RolesTexts = typeof english;
export const t = defineMessages('roles', english);
