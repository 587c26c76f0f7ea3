import type { KeysTexts } from '../en/keys';

export const keys: KeysTexts = {
  mod: 'Strg',
  shift: 'Umschalt',
  alt: 'Alt',
  pageup: 'Bild ↑',
  pagedown: 'Bild ↓',
  delete: 'Entf',
  escape: 'Esc',
};
