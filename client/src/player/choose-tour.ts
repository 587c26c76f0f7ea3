// Chooses the tour that starts on this page among those offered to a visitor.

import type { Condition } from './condition';
import { matchesPath } from './path-pattern';
import type { PlayBranch, PlayStep, PlayTheme } from './types';

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
  /** Branches whose conditions the server has evaluated for the visitor. They replace those of the steps. */
  branches?: readonly { stepKey: string; branches: readonly PlayBranch[] }[];
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
  const startable = tours.filter(tour => startProblem(tour, situation) === null);
  return startable.find(({ resume }) => resume) ?? startable[0] ?? null;
}

/** The part of the start rule that does not hold now. */
export type StartProblem = 'COOLDOWN' | 'TRIGGER' | 'PAGE' | 'CONDITION';

/** Returns why a tour does not start automatically or resume now; null if it does. */
export function startProblem({ start, resume, steps }: BootedTour, situation: Situation): StartProblem | null {
  const { path, evaluate, event, inCooldown } = situation;
  // An active run resumes on the page of its step or, if the step has none, on that of the start rule.
  const page = steps.find(({ key }) => key === resume?.stepKey)?.page ?? start.page;
  const isElsewhere = page !== null && !matchesPath(page, path);
  if (resume) return isElsewhere ? 'PAGE' : null;
  if (inCooldown && !start.ignoreCooldown) return 'COOLDOWN';
  const triggered =
    start.trigger === 'EVENT' ? event !== null && start.event === event : start.trigger === 'AUTO' && event === null;
  if (!triggered) return 'TRIGGER';
  if (isElsewhere) return 'PAGE';
  return start.when === null || evaluate(start.when) ? null : 'CONDITION';
}
