// The look of a tour on the previous pages of this tab.

import { jsonOf } from '../player/json';
import type { FoundLook } from '../player/look';

const LOOK_KEY = 'waypost.look';

/** Returns the look of the tour on the previous pages of this tab, so that it does not change with the page. */
export function storedLook(tour: string): FoundLook {
  try {
    const [of, look] = JSON.parse(sessionStorage.getItem(LOOK_KEY) ?? '[]') as [string?, FoundLook?];
    if (of === tour && look) return look;
  } catch {
    // The browser blocks storage.
  }
  return { accents: {} };
}

export function storeLook(tour: string, look: FoundLook) {
  try {
    sessionStorage.setItem(LOOK_KEY, jsonOf([tour, look]));
  } catch {
    // Each page has its own look.
  }
}
