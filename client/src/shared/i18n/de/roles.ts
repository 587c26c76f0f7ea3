import type { RolesTexts } from '../en/roles';

export const roles: RolesTexts = {
  names: { VIEWER: 'Betrachter', AUTHOR: 'Autor', PUBLISHER: 'Herausgeber', ADMIN: 'Administrator' },
  needs: (needed, own) => `Dafür ist die Rolle ${needed} nötig; die eigene ist ${own}.`,
};
