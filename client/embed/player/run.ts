import type { BootedTour } from './choose-tour';
import { createMissingReport } from './missing-report';
import { createPlayer, type PlayerOptions } from './player';
import { type RecordedAttempt, type RecordedEvent, removeExpired } from './recorder';
import { localize } from './translation';
import type { EndReason } from './types';
import { newUuid } from './uuid';

export interface RunOptions {
  /** Milliseconds by which the server is ahead of the browser. */
  clockOffset: number;
  onEvent: (event: RecordedEvent) => void;
  /** Called if no step is shown, because elements are missing. Pages with an earlier loader do not have it. */
  onAttempt?: (attempt: RecordedAttempt) => void;
  /** Called once, after the last popover was removed, with the obstacle if no step was shown. */
  onEnd: (obstacle: 'NO_ELEMENT' | null) => void;
}

/** Pages that were loaded before an update call it with an earlier loader. */
export interface Run {
  start(): void;
  /** Ends the run as dismissed. Resolves after the last popover was removed. */
  stop(reason: EndReason): Promise<void>;
  /** Leaves the run to the next page. */
  suspend(): Promise<void>;
}

export type CreateRun = (tour: BootedTour, options: RunOptions) => Run;

const visible = () => document.visibilityState === 'visible';

function stopwatch() {
  let total = 0;
  let since: number | null = visible() ? performance.now() : null;
  const onChange = () => {
    if (since !== null) total += performance.now() - since;
    since = visible() ? performance.now() : null;
  };
  document.addEventListener('visibilitychange', onChange);
  return {
    read: () => Math.round(total + (since === null ? 0 : performance.now() - since)),
    stop: () => document.removeEventListener('visibilitychange', onChange),
  };
}

export interface Surroundings extends Pick<PlayerOptions, 'renderer' | 'page'> {
  /** The visitor's language tags, by preference. */
  locales: readonly string[];
}

export function runsOn({ locales, ...surroundings }: Surroundings): CreateRun {
  try {
    removeExpired(localStorage);
  } catch {
    // The browser blocks storage.
  }
  return ({ releaseId, theme, resume, branches = [], ...tour }, { clockOffset, onEvent, onAttempt, onEnd }) => {
    const ofStep = (key: string) => branches.find(({ stepKey }) => stepKey === key)?.branches;
    const originals = tour.steps.map(step => ({ ...step, branches: ofStep(step.key) ?? step.branches }));
    const { steps, language } = localize({ steps: originals, locales: tour.locales }, locales);
    const runId = resume?.runId ?? newUuid();
    let seq = resume?.seq ?? 0;
    const clock = stopwatch();
    const now = () => new Date(Date.now() + clockOffset).toISOString();
    const report = createMissingReport(releaseId, stepKey => {
      // A resumed run has shown a step, on an earlier page.
      if (!resume) onAttempt?.({ releaseId, problem: 'ELEMENT_MISSING', stepKey, at: now() });
    });
    const player = createPlayer({
      ...surroundings,
      steps,
      theme,
      language,
      done: resume?.doneSteps ?? [],
      onHeldEvent: report.hold,
      onEvent(event) {
        report.shown();
        // A resumed run has reported its start.
        if (event.kind === 'RUN_STARTED' && resume) return;
        onEvent({ runId, releaseId, seq: seq++, at: now(), activeMs: clock.read(), ...event });
      },
      onEnd() {
        clock.stop();
        onEnd(report.end() ? 'NO_ELEMENT' : null);
      },
    });
    const resumeAt = steps.findIndex(({ key }) => key === resume?.stepKey);
    return { start: () => player.start(Math.max(resumeAt, 0)), stop: player.stop, suspend: () => player.stop(null) };
  };
}
