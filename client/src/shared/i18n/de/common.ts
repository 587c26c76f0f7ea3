import type { CommonTexts } from '../en/common';

export const common: CommonTexts = {
  cancel: 'Abbrechen',
  loading: 'Wird geladen',
  close: 'Schließen',
  tryAgain: 'Noch einmal versuchen',
  name: 'Name',
  address: 'Adresse',
  quoted: text => `„${text}“`,
  nothingChanged: 'Es hat sich nichts geändert.',
  justNow: 'gerade eben',
  roles: {
    names: { VIEWER: 'Betrachter', AUTHOR: 'Autor', PUBLISHER: 'Herausgeber', ADMIN: 'Administrator' },
    needs: (needed, own) => `Dafür ist die Rolle ${needed} nötig; die eigene ist ${own}.`,
  },
};
