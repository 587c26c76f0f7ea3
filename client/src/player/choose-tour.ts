// Chooses the tour that starts on this page among those offered to a visitor.

import type { Condition } from './condition';
import { matchesPath } from './path-pattern';
import type { PlayStep, PlayTheme } from './types';

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

/** The part of the start rule that does not hold now. */
export type StartProblem = 'COOLDOWN' | 'TRIGGER' | 'PAGE' | 'CONDITION';

/** Returns why a tour does not start automatically or resume now; null if it does. */
export function startProblem(tour: BootedTour, situation: Situation): StartProblem | null {
  const { start, resume } = tour;
  const { path, evaluate, event, inCooldown } = situation;
  if (resume !== null) return canResume(tour, path) ? null : 'PAGE';
  if (inCooldown && !start.ignoreCooldown) return 'COOLDOWN';
  const triggered =
    start.trigger === 'EVENT' ? event !== null && start.event === event : start.trigger === 'AUTO' && event === null;
  if (!triggered) return 'TRIGGER';
  if (start.page !== null && !matchesPath(start.page, path)) return 'PAGE';
  return start.when === null || evaluate(start.when) ? null : 'CONDITION';
}

/** True if a tour without an active run would start automatically now. */
export const canStart = (tour: BootedTour, situation: Situation): boolean =>
  tour.resume === null && startProblem(tour, situation) === null;
