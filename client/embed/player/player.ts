// Decides which step follows, waits for its page and element, and reports run events. Draws nothing.

import { untilPage, watchAdvance } from './advance';
import type { Condition } from './condition';
import { lookupClock } from './lookup-clock';
import type { Page } from './page';
import { matchesPath } from './path-pattern';
import {
  availableChoices,
  countOf,
  nextStepIndex,
  hasPopoverBefore,
  hotspotsAround,
  isInvitation,
  isLast,
} from './step-flow';
import type {
  Command,
  EndReason,
  PlayEvent,
  PlayStep,
  PlayTheme,
  Renderer,
  RendererFactory,
  Target,
  TourLanguage,
} from './types';

export interface PlayerOptions {
  steps: readonly PlayStep[];
  theme: PlayTheme;
  renderer: RendererFactory;
  /** The language of the steps' texts. Null for that of the page. */
  language?: TourLanguage | null;
  page: Page;
  /** Completed before the run was resumed. Their hotspots are not shown again. */
  done?: readonly string[];
  onEvent?: (event: PlayEvent) => void;
  /** Called with each event before anything is drawn. If a step is shown, `onEvent` is called with them, too. */
  onHeldEvent?: (event: PlayEvent) => void;
  /** Called once, after the last popover was removed. */
  onEnd?: () => void;
}

export interface Player {
  /** Ends without an event if no step can be shown. */
  start(index?: number): Promise<void>;
  next(): Promise<void>;
  previous(): Promise<void>;
  /** Ends the run as dismissed. */
  stop(reason: EndReason): Promise<void>;
  /** Does not end the run, for the next page. */
  suspend(): Promise<void>;
}

type Direction = 1 | -1;
/** The time until the renderer shows that the run waits. A shorter wait would flicker. */
const PROGRESS_DELAY_MS = 300;

/** Null if a later event decides. */
type NextIndex = number | null;

const DISMISSALS: Record<'close' | 'escape' | 'overlay', EndReason> = {
  close: 'CLOSE_BUTTON',
  escape: 'ESCAPE',
  overlay: 'OVERLAY_CLICK',
};

/** A modal dialog in front of the element would be a dead end. */
const mustBeUsable = ({ advance }: PlayStep) => advance.on === 'TARGET_CLICK';

export function createPlayer(options: PlayerOptions): Player {
  const { steps, theme, page } = options;
  const done = new Set(options.done);
  /** The current step, and the last one with a popover. */
  let current: number | null = null;
  let shown: number | null = null;
  let painted = false;
  /** True if a step was done, also before the run was resumed. */
  let anyStepDone = done.size > 0;
  let ended = false;
  /** Ends when the renderer draws something else. The popover must not outlive its element. */
  let drawn = new AbortController();
  /** Completed while the next one is not shown, and the index after it. */
  let leaving: { from: number; to: number } | null = null;
  const runController = new AbortController();
  /** All that the current step waits for. */
  let stepController = new AbortController();
  /** Popovers to go back to. */
  let history: number[] = [];
  // Before the first popover, which starts the run.
  let unreported: PlayEvent[] = [];

  const evaluate = (condition: Condition) => page.evaluate(condition);
  const renderer: Renderer = options.renderer(steps, theme, command => void onCommand(command), options.language);
  const lookups = lookupClock(page, runController.signal);

  function emit(event: PlayEvent): void {
    if (event.kind === 'STEP_DONE') anyStepDone = true;
    if (painted) return options.onEvent?.(event);
    unreported.push(event);
    options.onHeldEvent?.(event);
  }

  function paint() {
    if (painted) return;
    painted = true;
    const before = unreported;
    unreported = [];
    emit({ kind: 'RUN_STARTED' });
    for (const event of before) emit(event);
  }

  async function onCommand(command: Command): Promise<void> {
    lookups.ignoreUse();
    const step = current === null ? undefined : steps[current];
    if (ended || current === null || !step) return;
    if (typeof command === 'object') {
      if ('choose' in command) {
        const choice = availableChoices(steps, current, evaluate)[command.choose];
        const declined = choice && choice.to >= steps.length && !anyStepDone && isInvitation(steps, current);
        if (declined) await player.stop('CLOSE_BUTTON');
        else if (choice) await finish(choice.to);
      } else if (command.does === 'open') emit({ kind: 'STEP_SEEN', stepKey: keyOf(command.hotspot) });
      else finishHotspot(command.hotspot);
    } else if (command === 'next') {
      if (hasNextButton(current)) await player.next();
    } else if (command === 'previous') await player.previous();
    else if (command !== 'overlay' || step.closeOnOutsideClick) await player.stop(DISMISSALS[command]);
  }

  const keyOf = (at: number): string => steps[at]?.key ?? '';
  const hasNextButton = (at: number) =>
    steps[at]?.advance.on === 'BUTTON' && availableChoices(steps, at, evaluate).length === 0;

  async function end(event: PlayEvent | null): Promise<void> {
    if (ended) return;
    ended = true;
    stepController.abort();
    runController.abort();
    drawn.abort();
    if (event && painted) emit(event);
    await renderer.close();
    options.onEnd?.();
  }

  async function finish(to: number): Promise<void> {
    if (ended || current === null) return;
    // The popover stays usable: the visitor can repeat the command or change it.
    const again = leaving?.from === current;
    if (again && leaving?.to === to) return;
    if (!again) emit({ kind: 'STEP_DONE', stepKey: keyOf(current) });
    leaving = { from: current, to };
    await go(to, 1);
  }

  async function go(index: number, direction: Direction): Promise<void> {
    stepController.abort();
    const own = new AbortController();
    stepController = own;
    if (direction === -1) leaving = null;
    let at: NextIndex = index;
    while (at !== null) {
      const step: PlayStep | undefined = steps[at];
      if (!step) {
        if (direction === 1) return end({ kind: 'RUN_COMPLETED', reason: 'FINISHED' });
        // Show the current one again.
        return current === null ? undefined : go(current, 1);
      }
      // Each step determines the next one.
      // oxlint-disable-next-line no-await-in-loop
      at = direction === 1 ? await forward(at, step, own.signal) : await backward(at, step, own.signal);
      if (own.signal.aborted || ended) return;
    }
  }

  async function backward(at: number, step: PlayStep, signal: AbortSignal): Promise<NextIndex> {
    // Going back skips steps without a popover.
    if (step.kind === 'WAIT' || step.kind === 'HOTSPOT') return at - 1;
    const element = await find(step, signal);
    if (signal.aborted) return null;
    if (element === undefined) return history.pop() ?? at - 1;
    shown = at;
    await show(at, step, element, signal);
    return null;
  }

  async function forward(at: number, step: PlayStep, signal: AbortSignal): Promise<NextIndex> {
    if (step.kind === 'HOTSPOT') return playHotspots(hotspotsAround(steps, at), signal);
    if (step.kind === 'WAIT' || (step.page !== null && !matchesPath(step.page, page.path()))) await hide();
    if (step.kind === 'WAIT') current = at;
    await untilPage(step.page, page, signal);
    if (signal.aborted) return null;
    if (step.kind === 'WAIT') {
      const onward = await wait(at, step, signal);
      if (!signal.aborted) lookups.restart();
      return onward;
    }
    return showFound(at, step, await find(step, signal), signal);
  }

  async function showFound(
    at: number,
    step: PlayStep,
    element: Element | null | undefined,
    signal: AbortSignal,
  ): Promise<NextIndex> {
    if (signal.aborted) return null;
    if (element !== undefined) {
      await show(at, step, element, signal);
      return null;
    }
    if (step.missingTarget !== 'END_RUN') return nextStepIndex(steps, at, evaluate);
    await end({ kind: 'RUN_FAILED', reason: 'TARGET_MISSING', stepKey: step.key });
    return null;
  }

  function hide(): Promise<void> {
    drawn.abort();
    return renderer.hide();
  }

  /** The visitor sees that the tour waits for the element, and can use the page meanwhile. */
  async function hideDrawn(): Promise<void> {
    await hide();
    if (!ended) renderer.showProgress();
  }

  /** The advance rule is still being watched. */
  async function findAgain(at: number, step: PlayStep, signal: AbortSignal): Promise<void> {
    lookups.restart();
    await hideDrawn();
    if (signal.aborted) return;
    const onward = await showFound(at, step, await find(step, signal), signal);
    if (onward !== null && !signal.aborted) await go(onward, 1);
  }

  /** Resolves with null for the center of the page, or undefined if the step is skipped. */
  async function find(step: PlayStep, signal: AbortSignal): Promise<Element | null | undefined> {
    if (step.kind === 'MODAL' || !step.target) return null;
    // A tour that has not begun is invisible.
    const progress = setTimeout(() => painted && renderer.showProgress(), PROGRESS_DELAY_MS);
    const stop = () => clearTimeout(progress);
    signal.addEventListener('abort', stop);
    const element = await locate(step.target, step, signal);
    stop();
    if (element || signal.aborted) return element;
    // A step that the visitor has seen had its element.
    if (current === null || steps[current] !== step) emit({ kind: 'TARGET_MISSING', stepKey: step.key });
    return step.missingTarget === 'SHOW_CENTERED' ? null : undefined;
  }

  /** Does not repeat the part of the timeout that passed while earlier steps were shown. */
  const locate = (target: Target, step: PlayStep, signal: AbortSignal) =>
    page.locate(target, lookups.remaining(step.waitMs), signal, mustBeUsable(step));

  async function show(at: number, step: PlayStep, element: Element | null, signal: AbortSignal) {
    if (shown !== null && shown !== at) history.push(shown);
    shown = at;
    drawn.abort();
    const ofElement = new AbortController();
    drawn = ofElement;
    await renderer.show({
      index: at,
      step,
      element,
      back: hasBefore(at),
      next: hasNextButton(at),
      last: isLast(steps, at, evaluate),
      choices: availableChoices(steps, at, evaluate),
      count: theme.showStepCount === false ? null : countOf(steps, at),
    });
    if (ended || signal.aborted) return;
    const isNew = current !== at;
    current = at;
    leaving = null;
    paint();
    if (isNew) emit({ kind: 'STEP_SEEN', stepKey: step.key });
    const watch = (of: Element | null) =>
      watchAdvance(step.advance, of, page, signal, () => {
        // Unlike a delay, an action can lead to new elements.
        if (step.advance.on !== 'DELAY') lookups.restart();
        void finish(nextStepIndex(steps, at, evaluate));
      });
    watch(element);
    if (element && step.target)
      page.follow(
        step.target,
        element,
        {
          mustBeUsable: mustBeUsable(step),
          replaced(by) {
            renderer.replaceElement(at, by);
            if (step.advance.on === 'TARGET_CLICK') watch(by);
          },
          // The next element is being located if the step is over.
          gone: () => void (signal.aborted ? hideDrawn() : findAgain(at, step, signal)),
        },
        ofElement.signal,
      );
    const { page: pattern } = step;
    if (pattern === null) return;
    page.onPath(() => {
      if (!signal.aborted && !matchesPath(pattern, page.path())) void go(at, 1);
    }, signal);
  }

  /** Uses this page's history or, in a resumed run, an earlier popover of the list. */
  const hasBefore = (at: number) => history.length > 0 || hasPopoverBefore(steps, at);

  function wait(at: number, step: PlayStep, signal: AbortSignal): Promise<NextIndex> {
    emit({ kind: 'STEP_SEEN', stepKey: step.key });
    return new Promise(resolve => {
      const finished = () => {
        emit({ kind: 'STEP_DONE', stepKey: step.key });
        resolve(nextStepIndex(steps, at, evaluate));
      };
      signal.addEventListener('abort', () => resolve(null));
      const clicked = step.advance.on === 'TARGET_CLICK' && step.target;
      if (!clicked) {
        watchAdvance(step.advance, null, page, signal, finished);
        return;
      }
      void locate(clicked, step, signal).then(element => {
        if (signal.aborted) return;
        if (element) watchAdvance(step.advance, element, page, signal, finished);
        else {
          emit({ kind: 'TARGET_MISSING', stepKey: step.key });
          resolve(nextStepIndex(steps, at, evaluate));
        }
      });
    });
  }

  let openHotspots = new Map<number, () => void>();

  /** Resolves when each hotspot is completed or missing. */
  async function playHotspots(indices: readonly number[], signal: AbortSignal): Promise<NextIndex> {
    await hide();
    const open = indices.filter(at => !done.has(keyOf(at)));
    const after = Math.max(...indices) + 1;
    openHotspots = new Map();
    await Promise.all(open.map(at => playHotspot(at, signal)));
    return signal.aborted ? null : after;
  }

  /** Locates the element again if it disappears. */
  async function playHotspot(at: number, signal: AbortSignal): Promise<void> {
    const step = steps[at];
    if (!step?.target) return;
    current ??= at;
    await untilPage(step.page, page, signal);
    if (signal.aborted) return;
    const element = await locate(step.target, step, signal);
    if (signal.aborted) return;
    if (!element) {
      emit({ kind: 'TARGET_MISSING', stepKey: step.key });
      if (step.missingTarget !== 'END_RUN') return;
      await end({ kind: 'RUN_FAILED', reason: 'TARGET_MISSING', stepKey: step.key });
      return;
    }
    await renderer.showHotspot({ index: at, step, element, next: step.advance.on === 'BUTTON' });
    if (signal.aborted) return;
    current = at;
    paint();
    if (!(await disappears(at, step, step.target, element, signal))) return;
    lookups.restart();
    await playHotspot(at, signal);
  }

  /** Resolves with false if the hotspot is completed first. */
  function disappears(
    at: number,
    step: PlayStep,
    target: Target,
    element: Element,
    signal: AbortSignal,
  ): Promise<boolean> {
    const hotspotController = new AbortController();
    const watching = hotspotController.signal;
    return new Promise(resolve => {
      const finished = (gone: boolean) => {
        hotspotController.abort();
        resolve(gone);
      };
      openHotspots.set(at, () => finished(false));
      signal.addEventListener('abort', () => finished(false), { signal: watching });
      const watch = (of: Element) => watchAdvance(step.advance, of, page, watching, () => finishHotspot(at));
      watch(element);
      page.follow(
        target,
        element,
        {
          mustBeUsable: mustBeUsable(step),
          replaced(by) {
            renderer.replaceElement(at, by);
            if (step.advance.on === 'TARGET_CLICK') watch(by);
          },
          gone() {
            openHotspots.delete(at);
            renderer.hideHotspot(at);
            finished(true);
          },
        },
        watching,
      );
    });
  }

  function finishHotspot(at: number) {
    const finished = openHotspots.get(at);
    if (!finished || ended) return;
    openHotspots.delete(at);
    done.add(keyOf(at));
    emit({ kind: 'STEP_DONE', stepKey: keyOf(at) });
    renderer.hideHotspot(at);
    finished();
  }

  const player: Player = {
    start(index = 0) {
      lookups.restart();
      return go(index, 1);
    },
    async next() {
      if (!ended && current !== null) await finish(nextStepIndex(steps, current, evaluate));
    },
    async previous() {
      if (ended || current === null || !hasBefore(current)) return;
      await go(history.pop() ?? current - 1, -1);
    },
    async stop(reason) {
      await end(current === null ? null : { kind: 'RUN_DISMISSED', reason, stepKey: keyOf(current) });
    },
    suspend: () => end(null),
  };
  return player;
}
