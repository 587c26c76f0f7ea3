import type { BootedTour } from './choose-tour';
import { createPlayer, type Player, type PlayerOptions } from './player';
import { type RecordedEvent, removeExpired } from './recorder';
import { localize } from './translation';
import { newUuid } from './uuid';

export interface RunOptions {
  /** Milliseconds by which the server is ahead of the browser. */
  clockOffset: number;
  onEvent: (event: RecordedEvent) => void;
  /** Called once, after the last popover was removed. */
  onEnd: () => void;
}

export interface Run extends Pick<Player, 'stop' | 'suspend'> {
  start(): Promise<void>;
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
  return ({ releaseId, theme, resume, branches = [], ...tour }, { clockOffset, onEvent, onEnd }) => {
    const ofStep = (key: string) => branches.find(({ stepKey }) => stepKey === key)?.branches;
    const originals = tour.steps.map(step => ({ ...step, branches: ofStep(step.key) ?? step.branches }));
    const { steps, language } = localize({ steps: originals, locales: tour.locales }, locales);
    const runId = resume?.runId ?? newUuid();
    let seq = resume?.seq ?? 0;
    const clock = stopwatch();
    const player = createPlayer({
      ...surroundings,
      steps,
      theme,
      language,
      done: resume?.doneSteps ?? [],
      onEvent(event) {
        // A resumed run has reported its start.
        if (event.kind === 'RUN_STARTED' && resume) return;
        const at = new Date(Date.now() + clockOffset).toISOString();
        onEvent({ runId, releaseId, seq: seq++, at, activeMs: clock.read(), ...event });
      },
      onEnd() {
        clock.stop();
        onEnd();
      },
    });
    const resumeAt = steps.findIndex(({ key }) => key === resume?.stepKey);
    return { start: () => player.start(Math.max(resumeAt, 0)), stop: player.stop, suspend: player.suspend };
  };
}
