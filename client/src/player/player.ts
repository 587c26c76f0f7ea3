// Plays one run of a tour: decides which step comes next, waits for its element, reports what happened.
// It draws nothing itself and knows no framework, so its rules can be tested without a page.

import type { Command, EndReason, PlayEvent, PlayStep, PlayTheme, Renderer, RendererFactory, Target } from './types';

export interface PlayerOptions {
  steps: readonly PlayStep[];
  theme: PlayTheme;
  renderer: RendererFactory;
  /** Finds a step's element; null when it did not appear in time. */
  locate: (target: Target, waitMs: number, signal: AbortSignal) => Promise<Element | null>;
  onEvent?: (event: PlayEvent) => void;
  /** Called once, after the last popover is gone. */
  onEnd?: () => void;
}

export interface Player {
  /** Plays from the step at `index`. Ends at once, without an event, when nothing could be shown. */
  start(index?: number): Promise<void>;
  next(): Promise<void>;
  previous(): Promise<void>;
  /** Ends the run: it counts as dismissed. */
  stop(reason: EndReason): Promise<void>;
  /** Takes the popover away without ending the run, which may go on at the participant's next page. */
  suspend(): Promise<void>;
}

type Direction = 1 | -1;

const DISMISSALS: Record<Exclude<Command, 'next' | 'previous'>, EndReason> = {
  close: 'CLOSE_BUTTON',
  escape: 'ESCAPE',
  overlay: 'OVERLAY_CLICK',
};

export function createPlayer(options: PlayerOptions): Player {
  const { steps, theme, locate } = options;
  let current: PlayStep | null = null;
  let painted = false;
  let ended = false;
  let waiting: AbortController | null = null;
  // Steps whose element was missing before anything was painted: nobody's run has begun, so nothing may be reported yet.
  let missedBefore: string[] = [];

  const emit = (event: PlayEvent) => options.onEvent?.(event);
  const renderer: Renderer = options.renderer(steps, theme, (command) => void onCommand(command));

  function onCommand(command: Command): Promise<void> {
    if (command === 'next') return player.next();
    if (command === 'previous') return player.previous();
    return player.stop(DISMISSALS[command]);
  }

  async function end(event: PlayEvent | null): Promise<void> {
    if (ended) return;
    ended = true;
    waiting?.abort();
    if (event) emit(event);
    await renderer.close();
    options.onEnd?.();
  }

  function reportMissing(step: PlayStep) {
    if (painted) emit({ kind: 'TARGET_MISSING', stepKey: step.key });
    else missedBefore.push(step.key);
  }

  async function show(index: number, step: PlayStep, element: Element | null) {
    await renderer.show({ index, step, element });
    if (ended) return;
    current = step;
    if (!painted) {
      painted = true;
      emit({ kind: 'RUN_STARTED' });
      for (const stepKey of missedBefore) emit({ kind: 'TARGET_MISSING', stepKey });
      missedBefore = [];
    }
    emit({ kind: 'STEP_SEEN', stepKey: step.key });
  }

  /** Shows the step at `index`, or the next one in `direction` that can be shown. */
  async function go(index: number, direction: Direction): Promise<void> {
    waiting?.abort();
    const turn = new AbortController();
    waiting = turn;
    for (let at = index; ; at += direction) {
      const step = steps[at];
      if (!step) {
        // Backwards there is nothing to go to; the popover stays. Forwards the tour is over.
        if (direction === -1) return;
        return end(painted ? { kind: 'RUN_COMPLETED', reason: 'FINISHED' } : null);
      }
      if (step.kind === 'MODAL' || !step.target) return show(at, step, null);
      // One step after the other: whether to look for the next depends on this one.
      // oxlint-disable-next-line no-await-in-loop
      const element = await locate(step.target, step.waitMs, turn.signal);
      if (turn.signal.aborted || ended) return;
      if (element) return show(at, step, element);
      reportMissing(step);
      if (step.missingTarget === 'SHOW_CENTERED') return show(at, step, null);
      if (step.missingTarget === 'END_RUN') {
        return end(painted ? { kind: 'RUN_FAILED', reason: 'TARGET_MISSING', stepKey: step.key } : null);
      }
    }
  }

  const indexOf = (step: PlayStep) => steps.indexOf(step);

  const player: Player = {
    start: (index = 0) => go(index, 1),
    async next() {
      if (ended || !current) return;
      emit({ kind: 'STEP_DONE', stepKey: current.key });
      await go(indexOf(current) + 1, 1);
    },
    async previous() {
      if (ended || !current) return;
      await go(indexOf(current) - 1, -1);
    },
    async stop(reason) {
      await end(painted && current ? { kind: 'RUN_DISMISSED', reason, stepKey: current.key } : null);
    },
    suspend: () => end(null),
  };
  return player;
}
