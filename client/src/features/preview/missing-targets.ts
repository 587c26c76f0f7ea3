import { useSyncExternalStore } from 'react';
import type { PlayStep } from '../../player/types';

type StepTarget = Pick<PlayStep, 'key' | 'target'>;

const MISSING_KEY = 'waypost.not-found';
/** Tours with an element on the demo page. */
const AT_HOME_KEY = 'waypost.found';
const MAX_STORED = 200;

let missing: ReadonlySet<string> = new Set(readStored(MISSING_KEY));
let atHome: ReadonlySet<string> = new Set(readStored(AT_HOME_KEY));
const listeners = new Set<() => void>();

/** Includes the target, so that a step with another target counts as not looked up yet. */
const nameOf = (tourId: string, { key, target }: StepTarget): string =>
  JSON.stringify([tourId, key, target?.by, target?.value]);

export function recordTargetLookup(tourId: string, step: StepTarget, found: boolean): void {
  const name = nameOf(tourId, step);
  const isNews = missing.has(name) === found || (found && !atHome.has(tourId));
  if (!isNews) return;
  const next = new Set(missing);
  if (found) next.delete(name);
  else next.add(name);
  missing = next;
  if (found) atHome = new Set([...atHome, tourId]);
  store(MISSING_KEY, missing);
  store(AT_HOME_KEY, atHome);
  for (const listener of listeners) listener();
}

/**
 * Returns true for the steps whose element the demo page does not have. A tour without any element there was written for
 * another page, which the demo page cannot check.
 */
export function useMissingTargets(tourId: string): (step: StepTarget) => boolean {
  const names = useSyncExternalStore(subscribe, () => missing);
  const isAtHome = useSyncExternalStore(subscribe, () => atHome.has(tourId));
  return step => isAtHome && names.has(nameOf(tourId, step));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function store(key: string, names: ReadonlySet<string>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify([...names].slice(-MAX_STORED)));
  } catch {
    // Without session storage, entries last until the page closes.
  }
}

function readStored(key: string): string[] {
  try {
    const names: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(names) ? names.filter(each => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
