// Executes the effects of the machine: it has the timers, the page and the renderer, and decides nothing.

import { lookupClock } from './lookup-clock';
import { call, type Effects, initialState, type MachineEvent, transition } from './machine';
import type { Page } from './page';
import { traitsOf } from './step-kinds';
import type { FollowOptions } from './target';
import type {
  EndReason,
  HotspotView,
  PlayEvent,
  PlayStep,
  PlayTheme,
  Renderer,
  RendererFactory,
  StepView,
  TourLanguage,
} from './types';
import { onUseOf } from './use';

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
  start(index: number): void;
  /**
   * Ends the run as dismissed, or leaves it to the next page if there is no reason. Resolves after the last popover was
   * removed.
   */
  stop(reason: EndReason | null): Promise<void>;
}

/** The time until the renderer shows that the run waits. A shorter wait would flicker. */
const PROGRESS_DELAY_MS = 300;

/** The owner of lookups and watches: an active step by its index, or the visible popover, whose step may be completed. */
type Scope = number | 'popover';

/** A modal dialog in front of the element would be a dead end. */
const mustBeUsable = ({ advance }: PlayStep) => advance.on === 'TARGET_CLICK';

export function createPlayer(options: PlayerOptions): Player {
  const { steps, theme, page } = options;
  let state = initialState(options.done ?? []);
  const queue: MachineEvent[] = [];
  const scopes = new Map<Scope, AbortController>();
  const run = new AbortController();
  /** intro.js draws and removes asynchronously. */
  let removal = Promise.resolve();

  /** Processes an event that an effect causes after the effects before it. */
  function dispatch(...event: MachineEvent): void {
    if (queue.push(event) > 1) return;
    try {
      for (const each of queue) {
        const [next, performed] = transition(options, state, each);
        state = next;
        for (const effect of performed) call(effects, effect);
      }
    } finally {
      // A listener of the page may have thrown.
      queue.length = 0;
    }
  }

  function signalOf(scope: Scope): AbortSignal {
    const controller = scopes.get(scope) ?? new AbortController();
    scopes.set(scope, controller);
    return controller.signal;
  }

  function end(scope: Scope) {
    scopes.get(scope)?.abort();
    scopes.delete(scope);
  }

  /** Begins after the previous popover was removed. */
  async function draw({ index: at, element }: StepView | HotspotView, show: () => Promise<void>) {
    const signal = signalOf(at);
    await removal;
    if (signal.aborted) return;
    await show();
    if (!signal.aborted) dispatch('drawn', at, element);
  }

  const effects: Effects = {
    report: event => options.onEvent?.(event),
    hold: event => options.onHeldEvent?.(event),
    show(view) {
      end('popover');
      void draw(view, () => renderer.show(view));
    },
    hide() {
      end('popover');
      removal = renderer.hide();
    },
    progress: () => renderer.showProgress(),
    showHotspot: view => void draw(view, () => renderer.showHotspot(view)),
    hideHotspot(at) {
      end(at);
      renderer.hideHotspot(at);
    },
    replace: (at, element) => renderer.replaceElement(at, element),
    locate(at) {
      const step = steps[at];
      if (!step?.target) return;
      const signal = signalOf(at);
      const progress = setTimeout(() => dispatch('slow', at), PROGRESS_DELAY_MS);
      const stop = () => clearTimeout(progress);
      signal.addEventListener('abort', stop);
      // Does not repeat the part of the timeout that passed while earlier steps were shown.
      void page.locate(step.target, lookups.remaining(step.waitMs), signal, mustBeUsable(step)).then(element => {
        stop();
        if (!signal.aborted) dispatch('found', at, element);
      });
    },
    watch(at, element) {
      const { on, selector, delayMs } = steps[at]?.advance ?? {};
      const signal = signalOf(at);
      const onAdvance = () => {
        if (!signal.aborted) dispatch('advanced', at);
      };
      if (on === 'TARGET_CLICK' && element) onUseOf(element, onAdvance, signal);
      if (on === 'ELEMENT' && selector) page.onElement(selector, onAdvance, signal);
      if (on !== 'DELAY') return;
      const timer = setTimeout(onAdvance, delayMs);
      signal.addEventListener('abort', () => clearTimeout(timer));
    },
    follow(at, element) {
      const step = steps[at];
      if (!step?.target) return;
      const listeners: FollowOptions = {
        mustBeUsable: mustBeUsable(step),
        replaced: by => dispatch('replaced', at, by),
        gone: () => dispatch('gone', at),
      };
      page.follow(step.target, element, listeners, signalOf(traitsOf(step).together ? at : 'popover'));
    },
    leave() {
      for (const scope of scopes.keys()) if (scope !== 'popover') end(scope);
    },
    restart: () => lookups.restart(),
    close() {
      end('popover');
      run.abort();
      removal = renderer.close().then(options.onEnd);
    },
  };

  const renderer: Renderer = options.renderer(
    steps,
    theme,
    command => {
      lookups.ignoreUse();
      dispatch('command', command);
    },
    options.language,
  );
  const lookups = lookupClock(page, run.signal);
  page.onPath(() => dispatch('path'), run.signal);
  page.onEvent(name => dispatch('event', name), run.signal);

  return {
    start: index => dispatch('start', index),
    stop(reason) {
      dispatch('stop', reason);
      return removal;
    },
  };
}
