/** Whether shortcuts of a single character work. Kept on the device (WCAG 2.2, 2.1.4: they can be turned off). */
import { useSyncExternalStore } from 'react';

const KEY = 'waypost:single-keys';
const listeners = new Set<() => void>();

export const singleKeys = (): boolean => globalThis.localStorage?.getItem(KEY) !== 'off';

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
  for (const listener of listeners) listener();
}

export const useSingleKeys = (): boolean =>
  useSyncExternalStore(listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, singleKeys);
