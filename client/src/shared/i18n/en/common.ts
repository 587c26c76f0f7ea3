import { defineMessages } from '../messages';

const english = {
  cancel: 'Cancel',
  loading: 'Loading',
  close: 'Close',
  tryAgain: 'Try again',
  name: 'Name',
  slug: 'Slug',
  quoted: (text: string) => `“${text}”`,
  nothingChanged: 'No changes.',
  justNow: 'just now',
  roles: {
    names: { VIEWER: 'viewer', AUTHOR: 'author', PUBLISHER: 'publisher', ADMIN: 'administrator' },
    needs: (needed: string, own: string) => `Requires the ${needed} role. Your role is ${own}.`,
  },
};

export type CommonTexts = typeof english;
export const t = defineMessages('common', english);
