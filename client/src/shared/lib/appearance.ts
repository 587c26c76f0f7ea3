/** Stored in `localStorage` and set on the root element for `main.css`. */
import { useSyncExternalStore } from 'react';
import { createStore } from '../create-store';

export type Appearance = 'device' | 'light' | 'dark';

const KEY = 'waypost:appearance';

const appearance = createStore(storedAppearance());

function storedAppearance(): Appearance {
  const stored = globalThis.localStorage?.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'device';
}

export function applyAppearance(): void {
  const chosen = appearance.get();
  if (chosen === 'device') delete document.documentElement.dataset['appearance'];
  else document.documentElement.dataset['appearance'] = chosen;
}

export function setAppearance(chosen: Appearance): void {
  if (chosen === 'device') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  appearance.set(chosen);
  applyAppearance();
}

export const useAppearance = (): Appearance => useSyncExternalStore(appearance.subscribe, appearance.get);
