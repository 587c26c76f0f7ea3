/** Light, dark, or as the device says. Kept on the device; applied to the root element, where `main.css` reads it. */
import { useSyncExternalStore } from 'react';

export type Appearance = 'device' | 'light' | 'dark';

const KEY = 'waypost:appearance';
const listeners = new Set<() => void>();

export function appearance(): Appearance {
  const kept = globalThis.localStorage?.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'device';
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
