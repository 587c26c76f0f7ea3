import { useSyncExternalStore } from 'react';
import type { PlayStep } from '../../player/types';

type StepTarget = Pick<PlayStep, 'key' | 'target'>;

const STORAGE_KEY = 'waypost.not-found';
const MAX_STORED = 200;

let missing: ReadonlySet<string> = new Set(readStored());
const listeners = new Set<() => void>();

/** Includes the target, so that a step with another target counts as not looked up yet. */
const nameOf = (tourId: string, { key, target }: StepTarget): string =>
  JSON.stringify([tourId, key, target?.by, target?.value]);

export function recordTargetLookup(tourId: string, step: StepTarget, found: boolean): void {
  const name = nameOf(tourId, step);
  if (missing.has(name) !== found) return;
  const next = new Set(missing);
  if (found) next.delete(name);
  else next.add(name);
  missing = next;
  store([...next].slice(-MAX_STORED));
  for (const listener of listeners) listener();
}

export function useMissingTargets(tourId: string): (step: StepTarget) => boolean {
  const names = useSyncExternalStore(subscribe, () => missing);
  return step => names.has(nameOf(tourId, step));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function store(names: readonly string[]): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(names));
  } catch {
    // Without session storage, entries last until the page closes.
  }
}

function readStored(): string[] {
  try {
    const names: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(names) ? names.filter(each => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
