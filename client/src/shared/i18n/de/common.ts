import type { CommonTexts } from '../en/common';

export const common: CommonTexts = {
  cancel: 'Abbrechen',
  loading: 'Wird geladen',
  close: 'Schließen',
  tryAgain: 'Erneut versuchen',
  name: 'Name',
  slug: 'Slug',
  quoted: text => `„${text}“`,
  nothingChanged: 'Keine Änderungen.',
  justNow: 'gerade eben',
  roles: {
    names: { VIEWER: 'Lesezugriff', AUTHOR: 'Redaktion', PUBLISHER: 'Freigabe', ADMIN: 'Administration' },
    needs: (needed, own) => `Dafür ist die Rolle „${needed}“ nötig. Ihre Rolle ist „${own}“.`,
  },
};
