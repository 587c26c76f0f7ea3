import { catalogue } from '../lib/language';

const english = {
  cancel: 'Cancel',
  loading: 'Loading',
  close: 'Close',
  tryAgain: 'Try again',
  name: 'Name',
  slug: 'Slug',
  quoted: (text: string) => `“${text}”`,
  nothingChanged: 'No changes.',
};

export type CommonTexts = typeof english;
export const t = catalogue('common', english);
