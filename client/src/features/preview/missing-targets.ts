import { useSyncExternalStore } from 'react';
import type { PlayStep } from '../../../embed/player/types';
import { createStore } from '../../shared/create-store';

type StepTarget = Pick<PlayStep, 'key' | 'target'>;

const MISSING_KEY = 'waypost.not-found';
/** Tours with an element on the demo page. */
const AT_HOME_KEY = 'waypost.found';
const MAX_STORED = 200;

const missing = createStore<ReadonlySet<string>>(new Set(readStored(MISSING_KEY)));
const atHome = createStore<ReadonlySet<string>>(new Set(readStored(AT_HOME_KEY)));

/** Returns a name with the target, so that a step with another target counts as not looked up yet. */
const nameOf = (tourId: string, { key, target }: StepTarget): string =>
  JSON.stringify([tourId, key, target?.by, target?.value]);

export function recordTargetLookup(tourId: string, step: StepTarget, found: boolean): void {
  const name = nameOf(tourId, step);
  const isNews = missing.get().has(name) === found || (found && !atHome.get().has(tourId));
  if (!isNews) return;
  const next = new Set(missing.get());
  if (found) next.delete(name);
  else next.add(name);
  missing.set(next);
  if (found) atHome.set(new Set([...atHome.get(), tourId]));
  store(MISSING_KEY, missing.get());
  store(AT_HOME_KEY, atHome.get());
}

/**
 * Returns true for the steps whose element the demo page does not have. A tour without any element there was written for
 * another page, which the demo page cannot check.
 */
export function useMissingTargets(tourId: string): (step: StepTarget) => boolean {
  const names = useSyncExternalStore(missing.subscribe, missing.get);
  const isAtHome = useSyncExternalStore(atHome.subscribe, () => atHome.get().has(tourId));
  return step => isAtHome && names.has(nameOf(tourId, step));
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
