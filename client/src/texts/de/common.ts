import type { CommonTexts } from '../common';

export const common: CommonTexts = {
  cancel: 'Abbrechen',
  loading: 'Wird geladen',
  close: 'Schließen',
  tryAgain: 'Erneut versuchen',
  name: 'Name',
  slug: 'Slug',
  quoted: text => `„${text}“`,
  nothingChanged: 'Keine Änderungen.',
};
