/** What is printed on the keys of a keyboard. */
import { defineMessages } from '../messages';

const english = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  pageup: 'Page ↑',
  pagedown: 'Page ↓',
  delete: 'Del',
  escape: 'Esc',
};

export type KeysTexts = typeof english;
export const t = defineMessages('keys', english);
