import type { KeysTexts } from '../keys';

export const keys: KeysTexts = {
  mod: 'Strg',
  shift: 'Umschalt',
  alt: 'Alt',
  pageup: 'Bild ↑',
  pagedown: 'Bild ↓',
  delete: 'Entf',
  escape: 'Esc',
};
