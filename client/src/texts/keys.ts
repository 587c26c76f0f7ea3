/** Labels of keyboard keys. */
import { catalogue } from '../lib/language';

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
export const t = catalogue('keys', english);
