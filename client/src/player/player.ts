// Plays one run of a tour: decides which step comes next, waits for its page and its element, reports what happened.
// It draws nothing itself and knows no framework, so its rules can be tested without a page.

import { untilPage, watchAdvance } from './advance';
import type { Condition } from './condition';
import type { Page } from './page';
import { matchesPath } from './path';
import { choicesOf, countOf, following, hasPopoverBefore, hintsAround, isInvitation, isLast } from './step-flow';
import type { Command, EndReason, PlayEvent, PlayStep, PlayTheme, Renderer, RendererFactory } from './types';

export interface PlayerOptions {
  steps: readonly PlayStep[];
  theme: PlayTheme;
  renderer: RendererFactory;
  page: Page;
  /** Keys of the steps that were over in an earlier part of the run: their hints are not shown again. */
  done?: readonly string[];
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
/** What a step came to: the place to go on with, or nothing where something else decides. */
type Onward = number | null;

const DISMISSALS: Record<'close' | 'escape' | 'overlay', EndReason> = {
  close: 'CLOSE_BUTTON',
  escape: 'ESCAPE',
  overlay: 'OVERLAY_CLICK',
};

export function createPlayer(options: PlayerOptions): Player {
  const { steps, theme, page } = options;
  const done = new Set(options.done);
  /** The step that plays, and the last one that had a popover. */
  let current: number | null = null;
  let shown: number | null = null;
  let painted = false;
  /** Whether anything of the tour was done, now or in an earlier part of the run. */
  let taken = done.size > 0;
  let ended = false;
  /** Ends what the step that plays now waits for. */
  let turn = new AbortController();
  /** The popovers that were shown before, to go back to. */
  let trail: number[] = [];
  // What happened before anything was painted: nobody's run has begun, so nothing may be reported yet.
  let unsaid: PlayEvent[] = [];

  const holds = (condition: Condition) => page.holds(condition);
  const renderer: Renderer = options.renderer(steps, theme, command => void onCommand(command));

  function emit(event: PlayEvent) {
    if (event.kind === 'STEP_DONE') taken = true;
    if (painted) options.onEvent?.(event);
    else unsaid.push(event);
  }

  function paint() {
    if (painted) return;
    painted = true;
    const before = unsaid;
    unsaid = [];
    emit({ kind: 'RUN_STARTED' });
    for (const event of before) emit(event);
  }

  async function onCommand(command: Command): Promise<void> {
    const step = current === null ? undefined : steps[current];
    if (ended || current === null || !step) return;
    if (typeof command === 'object') {
      if ('choose' in command) {
        const choice = choicesOf(steps, current, holds)[command.choose];
        const declined = choice && choice.to >= steps.length && !taken && isInvitation(steps, current);
        if (declined) await player.stop('CLOSE_BUTTON');
        else if (choice) await finish(choice.to);
      } else if (command.does === 'open') emit({ kind: 'STEP_SEEN', stepKey: keyOf(command.hint) });
      else finishHint(command.hint);
    } else if (command === 'next') {
      if (canGoOn(current)) await player.next();
    } else if (command === 'previous') await player.previous();
    else if (command !== 'overlay' || !step.blockPage) await player.stop(DISMISSALS[command]);
  }

  const keyOf = (at: number): string => steps[at]?.key ?? '';
  const canGoOn = (at: number) => steps[at]?.advance.on === 'BUTTON' && choicesOf(steps, at, holds).length === 0;

  async function end(event: PlayEvent | null): Promise<void> {
    if (ended) return;
    ended = true;
    turn.abort();
    if (event && painted) emit(event);
    await renderer.close();
    options.onEnd?.();
  }

  /** The step that plays now is over. */
  async function finish(to: number): Promise<void> {
    if (ended || current === null) return;
    emit({ kind: 'STEP_DONE', stepKey: keyOf(current) });
    await go(to, 1);
  }

  /** Plays the step at `index`, or the next one in `direction` that can be played. */
  async function go(index: number, direction: Direction): Promise<void> {
    turn.abort();
    const own = new AbortController();
    turn = own;
    let at: Onward = index;
    while (at !== null) {
      const step: PlayStep | undefined = steps[at];
      if (!step) {
        if (direction === 1) return end({ kind: 'RUN_COMPLETED', reason: 'FINISHED' });
        // Nothing before can be shown any more: back to where the person was.
        return current === null ? undefined : go(current, 1);
      }
      // One step after the other: which is the next depends on this one.
      // oxlint-disable-next-line no-await-in-loop
      at = direction === 1 ? await forward(at, step, own.signal) : await backward(at, step, own.signal);
      if (own.signal.aborted || ended) return;
    }
  }

  async function backward(at: number, step: PlayStep, signal: AbortSignal): Promise<Onward> {
    // Only what is looked at can be looked at again.
    if (step.kind === 'WAIT' || step.kind === 'HINT') return at - 1;
    const element = await find(step, signal);
    if (signal.aborted) return null;
    if (element === undefined) return trail.pop() ?? at - 1;
    shown = at;
    await show(at, step, element, signal);
    return null;
  }

  async function forward(at: number, step: PlayStep, signal: AbortSignal): Promise<Onward> {
    if (step.kind === 'HINT') return playHints(hintsAround(steps, at), signal);
    if (step.kind === 'WAIT' || (step.page !== null && !matchesPath(step.page, page.path()))) await renderer.hide();
    if (step.kind === 'WAIT') current = at;
    await untilPage(step.page, page, signal);
    if (signal.aborted) return null;
    if (step.kind === 'WAIT') return wait(at, step, signal);
    return showFound(at, step, await find(step, signal), signal);
  }

  /** Shows a step whose element was found, or passes over it. */
  async function showFound(
    at: number,
    step: PlayStep,
    element: Element | null | undefined,
    signal: AbortSignal,
  ): Promise<Onward> {
    if (signal.aborted) return null;
    if (element !== undefined) {
      await show(at, step, element, signal);
      return null;
    }
    if (step.missingTarget !== 'END_RUN') return following(steps, at, holds);
    await end({ kind: 'RUN_FAILED', reason: 'TARGET_MISSING', stepKey: step.key });
    return null;
  }

  /** The element of the step that is shown has gone. What else may end the step is still watched. */
  async function findAgain(at: number, step: PlayStep, signal: AbortSignal): Promise<void> {
    await renderer.hide();
    if (signal.aborted) return;
    const onward = await showFound(at, step, await find(step, signal), signal);
    if (onward !== null && !signal.aborted) await go(onward, 1);
  }

  /** The element of a step; null for the middle of the page; undefined when the step is not to be shown. */
  async function find(step: PlayStep, signal: AbortSignal): Promise<Element | null | undefined> {
    if (step.kind === 'MODAL' || !step.target) return null;
    const element = await page.locate(step.target, step.waitMs, signal);
    if (element || signal.aborted) return element;
    emit({ kind: 'TARGET_MISSING', stepKey: step.key });
    return step.missingTarget === 'SHOW_CENTERED' ? null : undefined;
  }

  async function show(at: number, step: PlayStep, element: Element | null, signal: AbortSignal) {
    if (shown !== null && shown !== at) trail.push(shown);
    shown = at;
    await renderer.show({
      index: at,
      step,
      element,
      back: hasBefore(at),
      next: canGoOn(at),
      last: isLast(steps, at, holds),
      choices: choicesOf(steps, at, holds),
      count: countOf(steps, at),
    });
    if (ended || signal.aborted) return;
    current = at;
    paint();
    emit({ kind: 'STEP_SEEN', stepKey: step.key });
    watchAdvance(step.advance, element, page, signal, () => void finish(following(steps, at, holds)));
    if (element) page.onGone(element, () => void findAgain(at, step, signal), signal);
    const { page: belongs } = step;
    if (belongs === null) return;
    page.onPath(() => {
      if (!signal.aborted && !matchesPath(belongs, page.path())) void go(at, 1);
    }, signal);
  }

  /** Whether there is a popover to go back to: where the run came by, else, in a run that goes on, before it in the list. */
  const hasBefore = (at: number) => trail.length > 0 || hasPopoverBefore(steps, at);

  function wait(at: number, step: PlayStep, signal: AbortSignal): Promise<Onward> {
    emit({ kind: 'STEP_SEEN', stepKey: step.key });
    return new Promise(resolve => {
      const over = () => {
        emit({ kind: 'STEP_DONE', stepKey: step.key });
        resolve(following(steps, at, holds));
      };
      signal.addEventListener('abort', () => resolve(null));
      const clicked = step.advance.on === 'TARGET_CLICK' && step.target;
      if (!clicked) {
        watchAdvance(step.advance, null, page, signal, over);
        return;
      }
      void page.locate(clicked, step.waitMs, signal).then(element => {
        if (signal.aborted) return;
        if (element) watchAdvance(step.advance, element, page, signal, over);
        else {
          emit({ kind: 'TARGET_MISSING', stepKey: step.key });
          resolve(following(steps, at, holds));
        }
      });
    });
  }

  /** The hints that wait to be finished, and how each of them is. */
  let hints = new Map<number, () => void>();

  /** Shows hints together, each as soon as its element is there; over when each was finished or is missing. */
  async function playHints(places: readonly number[], signal: AbortSignal): Promise<Onward> {
    await renderer.hide();
    const open = places.filter(at => !done.has(keyOf(at)));
    const after = Math.max(...places) + 1;
    hints = new Map();
    await Promise.all(open.map(at => playHint(at, signal)));
    return signal.aborted ? null : after;
  }

  /** Over when the hint was finished, or its element is missing; one that goes away is looked for again. */
  async function playHint(at: number, signal: AbortSignal): Promise<void> {
    const step = steps[at];
    if (!step?.target) return;
    current ??= at;
    await untilPage(step.page, page, signal);
    if (signal.aborted) return;
    const element = await page.locate(step.target, step.waitMs, signal);
    if (signal.aborted) return;
    if (!element) {
      emit({ kind: 'TARGET_MISSING', stepKey: step.key });
      if (step.missingTarget !== 'END_RUN') return;
      await end({ kind: 'RUN_FAILED', reason: 'TARGET_MISSING', stepKey: step.key });
      return;
    }
    await renderer.showHint({ index: at, step, element, next: step.advance.on === 'BUTTON' });
    if (signal.aborted) return;
    current = at;
    paint();
    if (await hasGone(at, step, element, signal)) await playHint(at, signal);
  }

  /** Whether the element of a hint went away before the hint was finished. */
  function hasGone(at: number, step: PlayStep, element: Element, signal: AbortSignal): Promise<boolean> {
    const shown = new AbortController();
    const watching = AbortSignal.any([signal, shown.signal]);
    return new Promise(resolve => {
      const over = (gone: boolean) => {
        shown.abort();
        resolve(gone);
      };
      hints.set(at, () => over(false));
      signal.addEventListener('abort', () => over(false), { signal: shown.signal });
      watchAdvance(step.advance, element, page, watching, () => finishHint(at));
      page.onGone(
        element,
        () => {
          hints.delete(at);
          renderer.hideHint(at);
          over(true);
        },
        watching,
      );
    });
  }

  function finishHint(at: number) {
    const over = hints.get(at);
    if (!over || ended) return;
    hints.delete(at);
    done.add(keyOf(at));
    emit({ kind: 'STEP_DONE', stepKey: keyOf(at) });
    renderer.hideHint(at);
    over();
  }

  const player: Player = {
    start: (index = 0) => go(index, 1),
    async next() {
      if (!ended && current !== null) await finish(following(steps, current, holds));
    },
    async previous() {
      if (ended || current === null || !hasBefore(current)) return;
      await go(trail.pop() ?? current - 1, -1);
    },
    async stop(reason) {
      await end(current === null ? null : { kind: 'RUN_DISMISSED', reason, stepKey: keyOf(current) });
    },
    suspend: () => end(null),
  };
  return player;
}
