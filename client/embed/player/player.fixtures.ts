/** Records the runs of a player, with real and with silent renderers. */
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { introRenderer } from '../../src/intro/intro-renderer';
import { embedRenderer } from '../renderer/renderer';
import { textsOf } from '../renderer/texts';
import { playStep, playTheme } from './fixtures';
import type { Page } from './page';
import { createPlayer } from './player';
import type {
  Command,
  HotspotView,
  MissingTarget,
  PlayAdvance,
  PlayBranch,
  PlayEvent,
  PlayStep,
  Renderer,
  RendererFactory,
  StepView,
} from './types';

export interface Options extends Partial<Omit<PlayStep, 'key' | 'advance' | 'branches' | 'target'>> {
  on?: string;
  missing?: MissingTarget;
  advance?: Partial<PlayAdvance>;
  branches?: Partial<PlayBranch>[];
}

export function step(key: string, { on, missing, advance, branches, ...rest }: Options = {}): PlayStep {
  return playStep(key, {
    kind: on ? 'SPOTLIGHT' : 'MODAL',
    target: on ? { by: 'DATA_TOUR', value: on } : null,
    missingTarget: missing ?? 'SKIP_STEP',
    waitMs: 8000,
    advance: { ...playStep(key).advance, ...advance },
    branches: (branches ?? []).map(branch => ({ to: null, label: null, when: null, ...branch })),
    ...rest,
  });
}

/** With `timeouts`, a missing element is awaited. */
function pageWith(present: string[], timeouts: boolean) {
  const lookups: string[] = [];
  const elements = new Map(present.map(name => [name, document.createElement('button')]));
  const listeners = new EventTarget();
  const state = { path: '/', customer: 'guest', event: '' };
  const on = (name: string) => (listener: () => void, signal: AbortSignal) =>
    listeners.addEventListener(name, listener, { signal });
  const nameOf = (element: Element) => [...elements].find(([, each]) => each === element)?.[0];
  async function appearance(name: string, waitMs: number, signal: AbortSignal) {
    const deadline = performance.now() + waitMs;
    while (!elements.has(name) && performance.now() < deadline && !signal.aborted) {
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
  const page: Page = {
    async locate(target, waitMs, signal) {
      lookups.push(`${target.value} ${waitMs}`);
      if (timeouts) await appearance(target.value, waitMs, signal);
      return elements.get(target.value) ?? null;
    },
    onElement: (selector, listener, signal) => on(`element ${selector}`)(listener, signal),
    follow(_, element, { replaced, gone }, signal) {
      const name = nameOf(element);
      listeners.addEventListener(`gone ${name}`, gone, { signal, once: true });
      listeners.addEventListener(
        `replaced ${name}`,
        () => {
          const by = elements.get(name ?? '');
          if (by) replaced(by);
        },
        { signal },
      );
    },
    path: () => state.path,
    onPath: on('path'),
    onUse: on('use'),
    onEvent: (listener, signal) => on('event')(() => listener(state.event), signal),
    evaluate: condition => condition.trait?.value === state.customer,
  };
  return {
    page,
    elements,
    state,
    lookups,
    dispatch(name: string) {
      state.event = name.replace('event ', '');
      listeners.dispatchEvent(new Event(state.event === name ? name : 'event'));
    },
    async goTo(path: string) {
      state.path = path;
      listeners.dispatchEvent(new Event('path'));
      await settled();
    },
    replaceElement(name: string) {
      elements.set(name, document.createElement('button'));
      listeners.dispatchEvent(new Event(`replaced ${name}`));
    },
    async removeElement(name: string, ...added: string[]) {
      elements.delete(name);
      for (const each of added) elements.set(each, document.createElement('button'));
      listeners.dispatchEvent(new Event(`gone ${name}`));
      await settled();
    },
  };
}

/** Drawings that are not complete. */
const drawing = new Set<Promise<void>>();

function drawn(call: Promise<void> | undefined): Promise<void> {
  const done = (call ?? Promise.resolve()).finally(() => drawing.delete(done));
  drawing.add(done);
  return done;
}

export async function settled(): Promise<void> {
  await Promise.all(drawing);
  await new Promise(resolve => setTimeout(resolve));
  if (drawing.size > 0) await settled();
}

interface Drawing {
  renderer: RendererFactory;
  /** Null if it is not drawn. */
  buttonOf: (command: Exclude<Command, 'escape'>, steps: readonly PlayStep[]) => HTMLElement | null;
}

const shadowRoots: ShadowRoot[] = [];
const inPage = (selector: string, index = 0) => [...document.querySelectorAll<HTMLElement>(selector)][index] ?? null;
const allInShadow = (selector: string) =>
  shadowRoots.flatMap(root => [...root.querySelectorAll<HTMLElement>(selector)]);
const inShadow = (selector: string, index = 0) => allInShadow(selector)[index] ?? null;

/** Of customers' pages and of Waypost's. Each plays all tests. */
export const drawings: Record<string, Drawing> = {
  'the embed': {
    renderer: embedRenderer(textsOf('en')),
    buttonOf(command, steps) {
      if (command === 'next') return inShadow('.primary');
      if (command === 'previous') return inShadow('.quiet');
      if (command === 'close') return inShadow('.close');
      if (command === 'overlay') return inShadow('.blocker');
      if ('choose' in command) return inShadow('.primary, .secondary', command.choose);
      if (command.does === 'finish') return inShadow('.primary');
      const label = `Tip: ${steps[command.hotspot]?.title}`;
      return allInShadow('.beacon').find(({ ariaLabel }) => ariaLabel === label) ?? null;
    },
  },
  'intro.js': {
    renderer: introRenderer,
    buttonOf(command) {
      if (command === 'next') return inPage('.introjs-nextbutton');
      if (command === 'previous') return inPage('.introjs-prevbutton');
      if (command === 'close') return inPage('.introjs-skipbutton');
      if (command === 'overlay') return inPage('.introjs-overlay');
      if ('choose' in command) return inPage('[data-wp-choice]', command.choose);
      return inPage(command.does === 'open' ? `[data-wp-hotspot="${command.hotspot}"]` : '[data-wp-finish]');
    },
  },
};

/** The animations of the others do not end under fake timers. */
export const silent: Drawing = {
  renderer: () => ({
    show: async () => undefined,
    showProgress: () => undefined,
    replaceElement: () => undefined,
    hide: async () => undefined,
    showHotspot: async () => undefined,
    hideHotspot: () => undefined,
    close: async () => undefined,
  }),
  buttonOf: () => null,
};

let current: Drawing;

export function useDrawing(drawing: Drawing): void {
  current = drawing;
}

const { attachShadow } = Element.prototype;

beforeEach(() => {
  // happy-dom has no layout.
  document.elementsFromPoint = () => [];
  vi.spyOn(Element.prototype, 'attachShadow').mockImplementation(function attach(this: Element, options) {
    const root = attachShadow.call(this, options);
    shadowRoots.push(root);
    return root;
  });
});

const renderers: Renderer[] = [];

afterEach(async () => {
  // An open run would consume the next test's clicks.
  await Promise.all(renderers.splice(0).map(each => each.close()));
  shadowRoots.length = 0;
  document.body.replaceChildren();
});

export function play(steps: PlayStep[], present: string[] = [], done: string[] = [], timeouts = false) {
  const shown: string[] = [];
  const views: StepView[] = [];
  const hotspots = new Map<number, HotspotView>();
  const events: PlayEvent[] = [];
  const replaced: Element[] = [];
  let closed = 0;
  const commands: { send?: (command: Command) => void } = {};
  const around = pageWith(present, timeouts);
  const player = createPlayer({
    steps,
    theme: playTheme,
    renderer: (ofRun, theme, onCommand) => {
      commands.send = onCommand;
      const real = current.renderer(ofRun, theme, onCommand);
      renderers.push(real);
      return {
        show(view) {
          views.push(view);
          shown.push(view.element ? `${view.step.key}*` : view.step.key);
          return drawn(real.show(view));
        },
        hide() {
          if (shown.at(-1) !== '-' && shown.length > 0) shown.push('-');
          return drawn(real.hide());
        },
        showHotspot(view) {
          hotspots.set(view.index, view);
          return drawn(real.showHotspot(view));
        },
        hideHotspot(index) {
          hotspots.delete(index);
          real.hideHotspot(index);
        },
        close() {
          closed++;
          return drawn(real.close());
        },
        showProgress() {
          shown.push('…');
          real.showProgress();
        },
        replaceElement(index, element) {
          replaced.push(element);
          real.replaceElement(index, element);
        },
      };
    },
    page: around.page,
    done,
    onEvent: event => events.push(event),
  });
  return {
    ...around,
    /** Resolves when everything is drawn, unless it waits for the page. */
    player: {
      start(index = 0) {
        player.start(index);
        return settled();
      },
      next() {
        commands.send?.('next');
        return settled();
      },
      previous() {
        commands.send?.('previous');
        return settled();
      },
      stop: player.stop,
      suspend: () => player.stop(null),
    },
    shown,
    last: () => views.at(-1),
    hotspots: () => [...hotspots.values()].map(view => view.step.key),
    kinds: () => events.map(event => event.kind),
    reported: () => events.map(event => ('stepKey' in event ? `${event.kind} ${event.stepKey}` : event.kind)),
    events,
    replaced,
    closed: () => closed,
    async send(command: Command) {
      const button = command === 'escape' ? null : current.buttonOf(command, steps);
      if (command === 'escape') window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      else if (button) button.click();
      else commands.send?.(command);
      if (button && typeof command === 'object' && 'does' in command && command.does === 'open')
        await expect.poll(() => current.buttonOf({ ...command, does: 'finish' }, steps)).not.toBeNull();
      await settled();
    },
  };
}
