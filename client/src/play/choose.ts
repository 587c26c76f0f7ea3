// Which of the tours that a participant may see begins on this page.

import type { PlayStep, PlayTheme } from '../player/types';

export interface BootedTour {
  tourId: string;
  releaseId: string;
  slug: string;
  title: string;
  steps: readonly PlayStep[];
  start: { trigger: 'AUTO' | 'MANUAL'; page: string | null; delayMs: number };
  theme: PlayTheme;
  resume: { runId: string; stepKey: string; seq: number } | null;
}

/** Whether a path fits a pattern of the schema's format PATH_PATTERN: `*` stands for any characters. */
export function matchesPath(pattern: string, path: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return path === pattern;
  if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last)) return false;
  const end = path.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = path.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** The tour to begin by itself: an unfinished one first, then in the server's order. */
export function chooseTour(tours: readonly BootedTour[], path: string): BootedTour | null {
  const fitting = tours.filter(({ start }) => start.page === null || matchesPath(start.page, path));
  return (
    fitting.find((tour) => tour.resume !== null) ?? fitting.find((tour) => tour.start.trigger === 'AUTO') ?? null
  );
}
