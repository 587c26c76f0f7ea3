import type { Condition } from './condition';
import { matchesPath } from './path-pattern';
import type { PlayBranch, PlayStep, PlayTheme } from './types';

export interface BootedTour {
  tourId: string;
  releaseId: string;
  slug: string;
  title: string;
  steps: readonly PlayStep[];
  /** The first one is the language of the steps. */
  locales: readonly string[];
  start: {
    trigger: 'AUTO' | 'MANUAL' | 'EVENT';
    event: string | null;
    page: string | null;
    when: Condition | null;
    delayMs: number;
    ignoreCooldown: boolean;
  };
  theme: PlayTheme;
  /** Evaluated by the server for the visitor. They replace those of the steps. */
  branches?: readonly { stepKey: string; branches: readonly PlayBranch[] }[];
  resume: { runId: string; stepKey: string; seq: number; doneSteps: readonly string[] } | null;
}

export interface Situation {
  path: string;
  evaluate: (condition: Condition) => boolean;
  /** Just reported. */
  event: string | null;
  /** True if a tour has started automatically in this visit, so only tours without a cooldown may start. */
  inCooldown: boolean;
}

export function chooseTour(tours: readonly BootedTour[], situation: Situation): BootedTour | null {
  const startable = tours.filter(tour => startProblem(tour, situation) === null);
  return startable.find(({ resume }) => resume) ?? startable[0] ?? null;
}

export type StartProblem = 'COOLDOWN' | 'TRIGGER' | 'PAGE' | 'CONDITION';

/** Returns null if the tour starts or resumes. */
export function startProblem({ start, resume, steps }: BootedTour, situation: Situation): StartProblem | null {
  const { path, evaluate, event, inCooldown } = situation;
  // That of its step, or else of the start rule.
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
