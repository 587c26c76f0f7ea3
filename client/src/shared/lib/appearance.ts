/** Stored in `localStorage` and set on the root element for `main.css`. */
import { useSyncExternalStore } from 'react';

export type Appearance = 'device' | 'light' | 'dark';

const KEY = 'waypost:appearance';
const listeners = new Set<() => void>();

export function appearance(): Appearance {
  const stored = globalThis.localStorage?.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'device';
}

export function applyAppearance(): void {
  const chosen = appearance();
  if (chosen === 'device') delete document.documentElement.dataset['appearance'];
  else document.documentElement.dataset['appearance'] = chosen;
}

export function setAppearance(chosen: Appearance): void {
  if (chosen === 'device') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  applyAppearance();
  for (const listener of listeners) listener();
}

export const useAppearance = (): Appearance =>
  useSyncExternalStore(listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, appearance);
