import type { Condition } from './condition';
import { matchesPath } from './path-pattern';
import type { PlayBranch, PlayStep, PlayTheme } from './types';

/** The part of a tour that decides whether it starts. */
export interface OfferedTour {
  tourId: string;
  releaseId: string;
  slug: string;
  start: {
    trigger: 'AUTO' | 'MANUAL' | 'EVENT';
    event: string | null;
    page: string | null;
    when: Condition | null;
    delayMs: number;
    ignoreCooldown: boolean;
  };
  /** Evaluated by the server for the visitor. They replace those of the steps. */
  branches?: readonly { stepKey: string; branches: readonly PlayBranch[] }[];
  resume: {
    runId: string;
    stepKey: string;
    /** The page rule of the step. */
    page: string | null;
    seq: number;
    doneSteps: readonly string[];
  } | null;
}

export interface TourContent {
  title: string;
  steps: readonly PlayStep[];
  /** The first one is the language of the steps. */
  locales: readonly string[];
  theme: PlayTheme;
}

export type BootedTour = OfferedTour & TourContent;

export interface Situation {
  path: string;
  evaluate: (condition: Condition) => boolean;
  /** The event that was just reported. */
  event: string | null;
  /** True if a tour has started automatically in this visit, so only tours without a cooldown may start. */
  inCooldown: boolean;
}

export function chooseTour<Tour extends OfferedTour>(tours: readonly Tour[], situation: Situation): Tour | undefined {
  const startable = tours.filter(tour => startProblem(tour, situation) === null);
  return startable.find(({ resume }) => resume) ?? startable[0];
}

export type StartProblem = 'COOLDOWN' | 'TRIGGER' | 'PAGE' | 'CONDITION';

/** Returns null if the tour starts or resumes. */
export function startProblem({ start, resume }: OfferedTour, situation: Situation): StartProblem | null {
  const { path, evaluate, event, inCooldown } = situation;
  const page = resume?.page ?? start.page;
  const isElsewhere = page !== null && !matchesPath(page, path);
  if (resume) return isElsewhere ? 'PAGE' : null;
  if (inCooldown && !start.ignoreCooldown) return 'COOLDOWN';
  const triggered =
    start.trigger === 'EVENT' ? event !== null && start.event === event : start.trigger === 'AUTO' && event === null;
  if (!triggered) return 'TRIGGER';
  if (isElsewhere) return 'PAGE';
  return start.when === null || evaluate(start.when) ? null : 'CONDITION';
}
