// Which of the tours that a participant may see begins on this page.

import type { Condition } from '../player/condition';
import { matchesPath } from '../player/path';
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
    ignoreQuietHours: boolean;
  };
  theme: PlayTheme;
  resume: { runId: string; stepKey: string; seq: number; doneSteps: readonly string[] } | null;
}

export interface Situation {
  path: string;
  holds: (condition: Condition) => boolean;
  /** The event that the page tells of, if it tells of one now. */
  event: string | null;
  /** Whether a tour has begun by itself in this visit: then only one that ignores quiet hours does. */
  quiet: boolean;
}

/** The tour to begin by itself: an unfinished one first, then in the server's order, which is that of the priorities. */
export function chooseTour(tours: readonly BootedTour[], situation: Situation): BootedTour | null {
  return tours.find(tour => goesOn(tour, situation.path)) ?? tours.find(tour => begins(tour, situation)) ?? null;
}

/** An unfinished run goes on where its step belongs; if that belongs nowhere, where the tour starts. */
function goesOn({ resume, steps, start }: BootedTour, path: string): boolean {
  if (resume === null) return false;
  const page = steps.find(({ key }) => key === resume.stepKey)?.page ?? start.page;
  return page === null || matchesPath(page, path);
}

/** Whether a tour would begin by itself now. */
export function begins({ start, resume }: BootedTour, { path, holds, event, quiet }: Situation): boolean {
  if (resume !== null || (quiet && !start.ignoreQuietHours)) return false;
  const called =
    start.trigger === 'EVENT' ? event !== null && start.event === event : start.trigger === 'AUTO' && event === null;
  return called && (start.page === null || matchesPath(start.page, path)) && (start.when === null || holds(start.when));
}
