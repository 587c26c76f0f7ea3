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
  justNow: 'just now',
  roles: {
    names: { VIEWER: 'viewer', AUTHOR: 'author', PUBLISHER: 'publisher', ADMIN: 'administrator' },
    needs: (needed: string, own: string) => `This needs the ${needed} role; your role is ${own}.`,
  },
};

export type CommonTexts = typeof english;
export const t = defineMessages('common', english);
