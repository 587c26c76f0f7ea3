// Reports that a tour showed no step, because elements were missing.

import { jsonOf } from './json';
import { loadEntries } from './recorder';
import type { PlayEvent } from './types';

/** A tour that is missing its element would otherwise send a report at each page view. */
const INTERVAL_MS = 3_600_000;

export interface MissingReport {
  hold: (event: PlayEvent) => void;
  /** Withdraws the report, and allows the next one. */
  shown: () => void;
  /** Returns true if no step was shown, because elements were missing. */
  end: () => boolean;
}

/** Calls `report` with the first step whose element is missing, when the run ends or the visitor leaves the page. */
export function createMissingReport(releaseId: string, report: (stepKey: string) => void): MissingReport {
  let first: string | null = null;
  let isShown = false;
  // Removed with the expired entries of recorders.
  const storageKey = `waypost.missing.${releaseId}`;
  const send = () => {
    if (first === null || isShown) return;
    try {
      const [last] = loadEntries({ storage: localStorage, storageKey });
      if (last && Date.now() - Date.parse(last.at) < INTERVAL_MS) return;
      localStorage.setItem(storageKey, jsonOf([{ at: new Date().toISOString() }]));
    } catch {
      // The next page reports it again.
    }
    report(first);
  };
  addEventListener('pagehide', send, true);
  return {
    hold(event) {
      if (event.kind === 'TARGET_MISSING') first ??= event.stepKey;
    },
    shown() {
      if (isShown) return;
      isShown = true;
      try {
        localStorage.removeItem(storageKey);
      } catch {
        // Nothing is stored.
      }
    },
    end() {
      removeEventListener('pagehide', send, true);
      send();
      return first !== null && !isShown;
    },
  };
}
