// Decides which step follows and which events are reported: a function from a state and an event to the next state and its
// effects. It has no clock, page or renderer; the player executes the effects, and reports their results as events.
// `machine.transitions.md` lists the transitions.

import type { PageFacts } from './page-facts';
import { matchesPath } from './path-pattern';
import {
  availableChoices,
  countOf,
  hasPopoverBefore,
  hotspotsAround,
  isInvitation,
  isLast,
  nextStepIndex,
} from './step-flow';
import { traitsOf } from './step-kinds';
import type { Command, EndReason, HotspotView, PlayEvent, PlayStep, PlayTheme, StepView } from './types';

export interface Tour {
  steps: readonly PlayStep[];
  theme: Pick<PlayTheme, 'showStepCount'>;
  /** Its facts at the time of the event. */
  page: Pick<PageFacts, 'path' | 'evaluate'>;
}

export type Status =
  /** The step waits for its page. */
  | 'PAGE'
  /** Its element is being located. The popover of the previous step may still be visible and usable. */
  | 'LOOKUP'
  | 'DRAWING'
  | 'SHOWN'
  /** Its element has disappeared and is being located again. Its advance rule can still complete it. */
  | 'LOST'
  /** The step has no popover, and waits for its advance rule. */
  | 'WAIT';

export interface State {
  readonly ended: boolean;
  /** The statuses of the shown step or adjacent hotspots, by index. Empty before the start and after the end. */
  readonly active: Readonly<Record<number, Status>>;
  readonly direction: 1 | -1;
  /** The last step that was drawn or waited for. Commands apply to it. */
  readonly current: number | null;
  /** The step of the last popover. */
  readonly shown: number | null;
  /** The current step if it is completed but still visible, and the index after it. */
  readonly leaving: { readonly from: number; readonly to: number } | null;
  /** Popovers to go back to. */
  readonly history: readonly number[];
  /** Keys of the completed steps, also before the run was resumed. Their hotspots are not shown again. */
  readonly done: readonly string[];
  /** Events before the first drawing, which starts the run. Null afterwards. */
  readonly held: readonly PlayEvent[] | null;
  /** Steps that were passed since the page or the visitor last did something. */
  readonly passed: number;
}

/** The events of the machine, with their parameters. */
export interface MachineEvents {
  start(at: number): void;
  /** Null if the run can continue on the next page. */
  stop(reason: EndReason | null): void;
  command(command: Command): void;
  /** The address of the page has changed. */
  path(): void;
  /** The page has reported an event. */
  event(name: string): void;
  /** A watched advance rule is met. */
  advanced(at: number): void;
  found(at: number, element: Element | null): void;
  /** The lookup has lasted so long that the visitor notices. */
  slow(at: number): void;
  drawn(at: number, element: Element | null): void;
  /** The element has disappeared. */
  gone(at: number): void;
  /** The page has replaced the element. */
  replaced(at: number, element: Element): void;
}

/** The commands of the machine to the player. */
export interface Effects {
  report(event: PlayEvent): void;
  /** Reports an event before anything is drawn. */
  hold(event: PlayEvent): void;
  show(view: StepView): void;
  hide(): void;
  progress(): void;
  showHotspot(view: HotspotView): void;
  hideHotspot(at: number): void;
  replace(at: number, element: Element): void;
  locate(at: number): void;
  watch(at: number, element: Element | null): void;
  follow(at: number, element: Element): void;
  /** Ends the lookups and watches of the active steps. */
  leave(): void;
  /** Restarts the timeouts of elements. */
  restart(): void;
  close(): void;
}

type Calls<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => void
    ? readonly [name: Name, ...args: Args]
    : never;
}[keyof Methods];

export type MachineEvent = Calls<MachineEvents>;
export type Effect = Calls<Effects>;

/** Calls the method of the name. */
export function call<Methods extends Record<keyof Methods, (...args: never[]) => void>>(
  methods: Methods,
  [name, ...args]: Calls<Methods>,
): void {
  const method: (...args: never[]) => void = methods[name];
  method(...(args as never[]));
}

export const initialState = (done: readonly string[]): State => ({
  ended: false,
  active: {},
  direction: 1,
  current: null,
  shown: null,
  leaving: null,
  history: [],
  done,
  held: [],
  passed: 0,
});

const DISMISSALS: Record<'close' | 'escape' | 'overlay', EndReason> = {
  close: 'CLOSE_BUTTON',
  escape: 'ESCAPE',
  overlay: 'OVERLAY_CLICK',
};

export function transition(
  { steps, theme, page }: Tour,
  before: State,
  event: MachineEvent,
): readonly [next: State, effects: readonly Effect[]] {
  let state: State = before;
  const effects: Effect[] = [];

  const set = (change: Partial<State>) => void (state = { ...state, ...change });
  const perform = (...effect: Effect) => void effects.push(effect);
  const setStatus = (at: number, status: Status) => set({ active: { ...state.active, [at]: status } });
  const indexes = () => Object.keys(state.active).map(Number);
  const keyOf = (at: number): string => steps[at]?.key ?? '';
  const matches = (pattern: string | null) => pattern === null || matchesPath(pattern, page.path());
  const nextAfter = (at: number) => nextStepIndex(steps, at, page.evaluate);
  const choicesAt = (at: number) => availableChoices(steps, at, page.evaluate);
  const hasNextButton = (at: number) => steps[at]?.advance.on === 'BUTTON' && choicesAt(at).length === 0;
  /** Uses the history of this page or, in a resumed run, an earlier popover of the list. */
  const hasBefore = (at: number) => state.history.length > 0 || hasPopoverBefore(steps, at);

  function report(reported: PlayEvent) {
    const { held } = state;
    if (reported.kind === 'STEP_DONE') set({ done: [...state.done, reported.stepKey] });
    if (held) set({ held: [...held, reported] });
    perform(held ? 'hold' : 'report', reported);
  }

  const reportStep = (kind: 'STEP_SEEN' | 'STEP_DONE' | 'TARGET_MISSING', at: number) =>
    report({ kind, stepKey: keyOf(at) });

  function leave() {
    set({ active: {} });
    perform('leave');
  }

  /** A run that has drawn nothing ends without an event. */
  function end(last: PlayEvent | null) {
    leave();
    set({ ended: true });
    if (last && !state.held) report(last);
    perform('close');
  }

  const fail = (at: number) => end({ kind: 'RUN_FAILED', reason: 'TARGET_MISSING', stepKey: keyOf(at) });

  const stop = (reason: EndReason | null) =>
    end(reason && state.current !== null ? { kind: 'RUN_DISMISSED', reason, stepKey: keyOf(state.current) } : null);

  /** Completes the current step. */
  function finish(at: number, to: number) {
    const { leaving } = state;
    // The popover stays usable: the visitor can repeat the command or change it.
    if (leaving?.from !== at) reportStep('STEP_DONE', at);
    else if (leaving.to === to) return;
    set({ leaving: { from: at, to } });
    go(to, 1);
  }

  function goBack(from: number) {
    const { history } = state;
    set({ history: history.slice(0, -1), leaving: null });
    go(history.at(-1) ?? from - 1, -1);
  }

  function go(at: number, direction: State['direction']): void {
    const step = steps[at];
    leave();
    set({ direction, passed: state.passed + 1 });
    if (!step) {
      if (direction > 0) end({ kind: 'RUN_COMPLETED', reason: 'FINISHED' });
      // There is no popover before the current one, which is shown again.
      else if (state.current !== null) go(state.current, 1);
      return;
    }
    const { back, waits, together } = traitsOf(step);
    // Branches may lead in a circle of steps that cannot be shown, which would never end.
    if (state.passed > 2 * steps.length + 1) return fail(at);
    if (direction < 0) return back ? locate(at, step) : go(at - 1, -1);
    if (together) return playHotspots(at);
    if (waits || !matches(step.page)) perform('hide');
    if (waits) set({ current: at, leaving: null });
    enter(at);
  }

  function playHotspots(at: number) {
    perform('hide');
    const open = hotspotsAround(steps, at).filter(each => steps[each]?.target && !state.done.includes(keyOf(each)));
    set({ current: state.current ?? open[0] ?? null });
    for (const each of open) enter(each);
    if (open.length === 0) leaveHotspots(at);
  }

  const leaveHotspots = (at: number) => go(Math.max(...hotspotsAround(steps, at)) + 1, 1);

  function enter(at: number) {
    const step = steps[at];
    setStatus(at, 'PAGE');
    if (!step || !matches(step.page)) return;
    if (!traitsOf(step).waits) return locate(at, step);
    setStatus(at, 'WAIT');
    reportStep('STEP_SEEN', at);
    if (step.advance.on === 'TARGET_CLICK' && step.target) perform('locate', at);
    else watch(at, step, null);
  }

  function locate(at: number, step: PlayStep, status: Status = 'LOOKUP') {
    if (!traitsOf(step).target || !step.target) return draw(at, step, null);
    setStatus(at, status);
    perform('locate', at);
  }

  function draw(at: number, step: PlayStep, element: Element | null) {
    const { shown, history, direction } = state;
    setStatus(at, 'DRAWING');
    if (element && traitsOf(step).together)
      return perform('showHotspot', { index: at, step, element, next: step.advance.on === 'BUTTON' });
    if (direction > 0 && shown !== null && shown !== at) set({ history: [...history, shown] });
    set({ shown: at });
    perform('show', {
      index: at,
      step,
      element,
      back: hasBefore(at),
      next: hasNextButton(at),
      last: isLast(steps, at, page.evaluate),
      choices: choicesAt(at),
      count: theme.showStepCount === false ? null : countOf(steps, at),
    });
  }

  function onFound(at: number, step: PlayStep, element: Element | null) {
    const { back, waits, together } = traitsOf(step);
    if (element) return waits ? watch(at, step, element) : draw(at, step, element);
    // A step that the visitor has seen had its element.
    if (!back || state.current !== at) reportStep('TARGET_MISSING', at);
    if (back && step.missingTarget === 'SHOW_CENTERED') draw(at, step, null);
    else if (state.direction < 0) goBack(at);
    else if (waits) {
      perform('restart');
      go(nextAfter(at), 1);
    } else if (step.missingTarget === 'END_RUN') fail(at);
    else if (together) removeHotspot(at);
    else go(nextAfter(at), 1);
  }

  function onDrawn(at: number, step: PlayStep, element: Element | null) {
    const { current, held } = state;
    setStatus(at, 'SHOWN');
    set({ current: at, leaving: null, held: null });
    // The first drawing starts the run.
    if (held) for (const each of [{ kind: 'RUN_STARTED' } as const, ...held]) report(each);
    if (current !== at && traitsOf(step).back) reportStep('STEP_SEEN', at);
    if (element && step.target) perform('follow', at, element);
    watch(at, step, element);
  }

  function watch(at: number, { advance }: PlayStep, element: Element | null) {
    if (isOnNextPage(advance)) complete(at);
    else perform('watch', at, element);
  }

  const isOnNextPage = (advance: PlayStep['advance']) =>
    advance.on === 'PAGE' && advance.page !== null && matches(advance.page);

  const isWatched = (at: number) => {
    const status = state.active[at];
    // A step whose element has reappeared is drawn again.
    return status === 'DRAWING' ? state.current === at : ['SHOWN', 'LOST', 'WAIT'].includes(status ?? '');
  };

  /** The advance rule is met. */
  function complete(at: number) {
    const step = steps[at];
    if (!step || !isWatched(at)) return;
    if (traitsOf(step).together) return finishHotspot(at);
    // Unlike a delay, an action can lead to new elements.
    if (traitsOf(step).waits || step.advance.on !== 'DELAY') perform('restart');
    finish(at, nextAfter(at));
  }

  function finishHotspot(at: number) {
    if (state.active[at] !== 'SHOWN') return;
    reportStep('STEP_DONE', at);
    perform('hideHotspot', at);
    removeHotspot(at);
  }

  function removeHotspot(at: number) {
    const { [at]: _, ...active } = state.active;
    set({ active });
    if (indexes().length === 0) leaveHotspots(at);
  }

  function onGone(at: number, step: PlayStep) {
    const isShown = state.active[at] === 'SHOWN';
    if (isShown) perform('restart');
    if (traitsOf(step).together) {
      perform('hideHotspot', at);
      return enter(at);
    }
    // The visitor sees that the tour waits for the element, and can use the page meanwhile.
    perform('hide');
    perform('progress');
    // The next element is already being located if the step is completed.
    if (!isShown) return;
    set({ direction: 1 });
    locate(at, step, 'LOST');
  }

  function onCommand(command: Command, at: number, step: PlayStep) {
    const { back } = traitsOf(step);
    if (typeof command === 'object') {
      if ('choose' in command) {
        const choice = choicesAt(at)[command.choose];
        const isDeclined = choice && choice.to >= steps.length && state.done.length === 0 && isInvitation(steps, at);
        if (isDeclined) stop('CLOSE_BUTTON');
        else if (choice) finish(at, choice.to);
      } else if (command.does === 'finish') finishHotspot(command.hotspot);
      else if (command.hotspot in state.active) reportStep('STEP_SEEN', command.hotspot);
    } else if (command === 'next') {
      if (back && hasNextButton(at)) finish(at, nextAfter(at));
    } else if (command === 'previous') {
      if (back && hasBefore(at)) goBack(at);
    } else if (command !== 'overlay' || step.closeOnOutsideClick) stop(DISMISSALS[command]);
  }

  function onPath(at: number, step: PlayStep) {
    if (state.active[at] === 'PAGE') enter(at);
    else if (isOnNextPage(step.advance)) complete(at);
    else if (traitsOf(step).back && isWatched(at) && !matches(step.page)) go(at, 1);
  }

  // The player sends no results of lookups and drawings of steps that are no longer active.
  const handlers: MachineEvents = {
    start(at) {
      perform('restart');
      go(at, 1);
    },
    stop,
    command(command) {
      const { current } = state;
      const step = current === null ? undefined : steps[current];
      if (current !== null && step) onCommand(command, current, step);
    },
    path() {
      for (const at of indexes()) if (state.active[at] && steps[at]) onPath(at, steps[at]);
    },
    event(name) {
      for (const at of indexes()) {
        const advance = steps[at]?.advance;
        if (advance?.on === 'EVENT' && advance.event === name) complete(at);
      }
    },
    advanced: complete,
    found(at, element) {
      if (steps[at]) onFound(at, steps[at], element);
    },
    slow(at) {
      // A tour that has not begun is invisible.
      if (steps[at] && traitsOf(steps[at]).back && !state.held) perform('progress');
    },
    drawn(at, element) {
      if (steps[at]) onDrawn(at, steps[at], element);
    },
    gone(at) {
      if (steps[at]) onGone(at, steps[at]);
    },
    replaced(at, element) {
      perform('replace', at, element);
      if (steps[at]?.advance.on === 'TARGET_CLICK' && isWatched(at)) perform('watch', at, element);
    },
  };
  if (state.ended) return [state, effects];
  if (event[0] !== 'found') set({ passed: 0 });
  call(handlers, event);
  return [state, effects];
}
