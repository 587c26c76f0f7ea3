import type { RolesTexts } from '../roles';

export const roles: RolesTexts = {
  names: { VIEWER: 'Lesen', AUTHOR: 'Schreiben', PUBLISHER: 'Veröffentlichen', ADMIN: 'Verwalten' },
  needs: (needed, own) => `Dafür ist die Rolle „${needed}“ nötig. Ihre Rolle ist „${own}“.`,
};
