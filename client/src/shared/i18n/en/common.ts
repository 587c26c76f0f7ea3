import { defineMessages } from '../messages';

const english = {
  cancel: 'Cancel',
  loading: 'Loading',
  close: 'Close',
  tryAgain: 'Try again',
  name: 'Name',
  address: 'Address',
  quoted: (text: string) => `“${text}”`,
  nothingChanged: 'Nothing has changed.',
};

export type CommonTexts = typeof english;
export const t = defineMessages('common', english);
