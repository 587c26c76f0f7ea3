// Chooses the tour that starts on this page among those offered to a visitor.

import type { Condition } from '../player/condition';
import { matchesPath } from '../player/path-pattern';
import type { PlayStep, PlayTheme } from '../player/types';

export interface BootedTour {
  tourId: string;
  releaseId: string;
  slug: string;
  title: string;
  steps: readonly PlayStep[];
  start: {
    trigger: 'AUTO' | 'MANUAL' | 'EVENT';
    event: string | null;
    page: string | null;
    when: Condition | null;
    delayMs: number;
    ignoreCooldown: boolean;
  };
  theme: PlayTheme;
  resume: { runId: string; stepKey: string; seq: number; doneSteps: readonly string[] } | null;
}

export interface Situation {
  path: string;
  evaluate: (condition: Condition) => boolean;
  /** The event that the page has just reported, or null. */
  event: string | null;
  /** True if a tour has started automatically in this visit. Then only tours that ignore the cooldown may start. */
  inCooldown: boolean;
}

/** Returns the tour to start automatically: an active one, or else the first in the server's order of priority. */
export function chooseTour(tours: readonly BootedTour[], situation: Situation): BootedTour | null {
  return tours.find(tour => canResume(tour, situation.path)) ?? tours.find(tour => canStart(tour, situation)) ?? null;
}

/**
 * True if an active run can be resumed on the page: that of its step or, if the step has none, that of the start rule.
 */
function canResume({ resume, steps, start }: BootedTour, path: string): boolean {
  if (resume === null) return false;
  const page = steps.find(({ key }) => key === resume.stepKey)?.page ?? start.page;
  return page === null || matchesPath(page, path);
}

/** True if a tour would start automatically now. */
export function canStart({ start, resume }: BootedTour, { path, evaluate, event, inCooldown }: Situation): boolean {
  if (resume !== null || (inCooldown && !start.ignoreCooldown)) return false;
  const triggered =
    start.trigger === 'EVENT' ? event !== null && start.event === event : start.trigger === 'AUTO' && event === null;
  return (
    triggered && (start.page === null || matchesPath(start.page, path)) && (start.when === null || evaluate(start.when))
  );
}
