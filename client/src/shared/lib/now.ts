import { useSyncExternalStore } from 'react';

const STEP = 30_000;
const listeners = new Set<() => void>();
let timer: number | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    for (const each of listeners) each();
  }, STEP);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      window.clearInterval(timer);
      timer = undefined;
    }
  };
}

const current = () => Math.floor(Date.now() / STEP) * STEP + STEP;

/** The time, for texts like "3 minutes ago". Moves every half minute, so that components do not render for nothing. */
export const useNow = (): number => useSyncExternalStore(subscribe, current);
