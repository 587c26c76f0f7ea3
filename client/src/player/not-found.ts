/** Which elements the last preview did not find on the demo page, until this page is left. */
import { useSyncExternalStore } from 'react';
import type { PlayStep } from './types';

type Looking = Pick<PlayStep, 'key' | 'target'>;

let missing: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** A step that looks for something else has not been looked at yet. */
const nameOf = (tourId: string, { key, target }: Looking): string => JSON.stringify([tourId, key, target?.by, target?.value]);

export function noteLooked(tourId: string, step: Looking, found: boolean): void {
  const name = nameOf(tourId, step);
  if (missing.has(name) !== found) return;
  const next = new Set(missing);
  if (found) next.delete(name);
  else next.add(name);
  missing = next;
  for (const listener of listeners) listener();
}

/** Whether the last preview looked for the element of a step in vain. */
export function useNotFound(tourId: string): (step: Looking) => boolean {
  const names = useSyncExternalStore(subscribe, () => missing);
  return step => names.has(nameOf(tourId, step));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
