import { expect, it } from 'vitest';
import { playStep, playTheme } from './fixtures';
import {
  call,
  type Effect,
  type Effects,
  initialState,
  type MachineEvent,
  type State,
  type Status,
  type Tour,
  transition,
} from './machine';
import { matchesPath } from './path-pattern';
import { STEP_KINDS, traitsOf } from './step-kinds';
import type { Command, PlayAdvance, PlayBranch, PlayEvent, PlayStep, StepKind } from './types';

const target = { by: 'DATA_TOUR', value: 'x' } as const;
const advance = (change: Partial<PlayAdvance>): PlayAdvance => ({ ...playStep('').advance, ...change });
const element = document.createElement('button');

const nameOf = (steps: readonly PlayStep[], at: number) => steps[at]?.key ?? String(at);

function formatState(steps: readonly PlayStep[], { ended, active }: State): string {
  const statuses = Object.entries(active).map(([at, status]) => `${nameOf(steps, Number(at))} ${status}`);
  return ended ? 'ENDED' : statuses.join(', ') || 'IDLE';
}

function formatCall(steps: readonly PlayStep[], [name, ...args]: Effect | MachineEvent): string {
  const texts = args.map(arg => {
    if (typeof arg === 'number') return nameOf(steps, arg);
    if (arg instanceof Element) return 'element';
    if (arg === null || typeof arg !== 'object') return String(arg);
    if ('choose' in arg) return `choose ${arg.choose}`;
    if ('does' in arg) return `${arg.does} ${nameOf(steps, arg.hotspot)}`;
    if ('index' in arg) return nameOf(steps, arg.index);
    return 'stepKey' in arg ? `${arg.kind} ${arg.stepKey}` : arg.kind;
  });
  return [name, ...texts].join(' ');
}

it('prints every transition', async () => {
  const end: PlayBranch = { to: null, label: 'No', when: null };
  const steps = [
    playStep('invitation', { branches: [{ ...end, label: 'Yes', to: 'modal' }, end], closeOnOutsideClick: true }),
    playStep('modal'),
    playStep('tooltip', { kind: 'TOOLTIP', target, page: '/x', advance: advance({ on: 'TARGET_CLICK' }) }),
    playStep('wait', { kind: 'WAIT', advance: advance({ on: 'EVENT', event: 'paid' }) }),
    playStep('waitForUse', { kind: 'WAIT', target, advance: advance({ on: 'TARGET_CLICK' }) }),
    playStep('beacon', { kind: 'HOTSPOT', target, page: '/x' }),
    playStep('required', { kind: 'HOTSPOT', target, missingTarget: 'END_RUN' }),
    playStep('spotlight', { kind: 'SPOTLIGHT', target, advance: advance({ on: 'PAGE', page: '/y' }) }),
  ];
  const at = (key: string) => steps.findIndex(step => step.key === key);
  const drawn = (key: string): MachineEvent[] => [
    ['found', at(key), element],
    ['drawn', at(key), element],
  ];
  const start = (key: string): MachineEvent => ['start', at(key)];
  const next: MachineEvent = ['command', 'next'];
  const states: Record<string, readonly MachineEvent[]> = {
    'Nothing was started.': [],
    'The first popover is being drawn.': [start('invitation')],
    'The invitation is visible.': [start('invitation'), ['drawn', at('invitation'), null]],
    'A popover is visible.': [start('modal'), ['drawn', at('modal'), null]],
    'The next popover waits for its page.': [start('modal'), ['drawn', at('modal'), null], next],
    'The element of the next popover is being located.': [
      start('spotlight'),
      ...drawn('spotlight'),
      ['command', 'previous'],
    ],
    'A popover with an element is visible.': [start('spotlight'), ...drawn('spotlight')],
    'The element of the visible popover is lost.': [
      start('spotlight'),
      ...drawn('spotlight'),
      ['gone', at('spotlight')],
    ],
    'A step waits for its event.': [start('wait')],
    'A step waits for the use of an element that is being located.': [start('waitForUse')],
    'A step waits for the use of an element.': [start('waitForUse'), ['found', at('waitForUse'), element]],
    'Hotspots are being located, or wait for their page.': [start('beacon')],
    'A hotspot is visible.': [start('beacon'), ...drawn('required')],
    'The run has ended.': [start('modal'), ['stop', 'PROGRAM']],
  };
  const eventsOf = (state: State): MachineEvent[] => [
    start('modal'),
    ['stop', 'PROGRAM'],
    ['stop', null],
    ...(['next', 'previous', 'close', 'overlay'] as const).map((each): MachineEvent => ['command', each]),
    ['command', { choose: 0 }],
    ['command', { choose: 1 }],
    ['command', { hotspot: at('required'), does: 'open' }],
    ['command', { hotspot: at('required'), does: 'finish' }],
    ['path'],
    ['event', 'paid'],
    ...Object.keys(state.active)
      .map(Number)
      .flatMap((each): MachineEvent[] => {
        const status = state.active[each];
        if (status === 'DRAWING') return [['drawn', each, element]];
        if (status === 'SHOWN')
          return [
            ['advanced', each],
            ...(steps[each]?.target ? [['gone', each] as const, ['replaced', each, element] as const] : []),
          ];
        if (status === 'PAGE') return [];
        return [
          ['found', each, element],
          ['found', each, null],
          ['slow', each],
        ];
      }),
  ];
  let path = '/';
  const tour: Tour = { steps, theme: playTheme, page: { path: () => path, evaluate: () => false } };
  const tables = Object.entries(states).map(([title, events]) => {
    path = '/';
    const state = events.reduce((before, event) => transition(tour, before, event)[0], initialState([]));
    const rows = ['/', '/x', '/y'].flatMap(page =>
      eventsOf(state).flatMap(event => {
        // Only changes of the page depend on it.
        if ((event[0] === 'path') !== (page !== '/')) return [];
        path = page;
        const [after, effects] = transition(tour, state, event);
        const change = formatState(steps, after);
        if (effects.length === 0 && change === formatState(steps, state)) return [];
        const name = formatCall(steps, event) + (event[0] === 'path' ? ` ${page}` : '');
        return [`| ${name} | ${change} | ${effects.map(effect => formatCall(steps, effect)).join(', ')} |`];
      }),
    );
    return [
      `## ${title} ${formatState(steps, state)}`,
      '',
      '| event | next | effects |',
      '|---|---|---|',
      ...rows,
    ].join('\n');
  });
  await expect(`# Transitions of the player\n\n${tables.join('\n\n')}\n`).toMatchFileSnapshot('machine.transitions.md');
});

/** Returns numbers from 0 to 1, always the same ones for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PATHS = ['/', '/x', '/y'];
const RULES: readonly PlayAdvance['on'][] = ['BUTTON', 'BUTTON', 'TARGET_CLICK', 'PAGE', 'ELEMENT', 'EVENT', 'DELAY'];
const MISSING = ['SKIP_STEP', 'SHOW_CENTERED', 'END_RUN'] as const;

function randomSteps(random: () => number): PlayStep[] {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const count = 1 + Math.floor(random() * 6);
  return Array.from({ length: count }, (_, at) => {
    const kind = pick(Object.keys(STEP_KINDS) as StepKind[]);
    const on = pick(RULES);
    const hasTarget = STEP_KINDS[kind].target || on === 'TARGET_CLICK';
    const branches = Array.from({ length: pick([0, 0, 0, 1, 2]) }, () => ({
      to: pick([null, ...Array.from({ length: count }, (__, each) => `s${each}`)]),
      label: pick([null, 'Label']),
      when: null,
    }));
    return playStep(`s${at}`, {
      kind,
      target: kind !== 'MODAL' && hasTarget ? target : null,
      missingTarget: pick(MISSING),
      page: pick([null, null, ...PATHS]),
      advance: advance({ on, page: pick([null, ...PATHS]), event: 'paid', selector: '#x' }),
      branches,
      closeOnOutsideClick: pick([true, false]),
    });
  });
}

function hold(isTrue: boolean | undefined, invariant: string) {
  if (!isTrue) throw new Error(`Violated: ${invariant}.`);
}

/** Plays a tour with random events, and checks the invariants after each of them. */
class Model {
  readonly #random: () => number;
  readonly #steps: readonly PlayStep[];
  readonly #tour: Tour;
  readonly trace: string[] = [];
  #path = '/';
  #state: State = initialState([]);
  readonly #lookups = new Set<number>();
  readonly #drawings = new Map<number, Element | null>();
  readonly #watches = new Set<number>();
  readonly #hotspots = new Set<number>();
  readonly #followed = new Set<number>();
  #popover: number | null = null;
  #isProgressVisible = false;
  #closed = 0;
  readonly #reported: PlayEvent[] = [];
  readonly #held: PlayEvent[] = [];

  constructor(seed: number) {
    this.#random = createRandom(seed);
    this.#steps = randomSteps(this.#random);
    const page = { path: () => this.#path, evaluate: () => this.#random() < 0.5 };
    this.#tour = { steps: this.#steps, theme: playTheme, page };
    this.trace.push(...this.#steps.map(step => JSON.stringify(step)));
  }

  get ended(): boolean {
    return this.#state.ended;
  }

  readonly #effects: Effects = {
    report: event => void this.#reported.push(event),
    hold: event => void this.#held.push(event),
    show: ({ index, element: of }) => {
      this.#popover = index;
      this.#isProgressVisible = false;
      this.#followed.clear();
      this.#drawings.set(index, of);
    },
    hide: () => {
      this.#popover = null;
      this.#isProgressVisible = false;
      for (const at of this.#followed) if (!this.#hotspots.has(at)) this.#followed.delete(at);
    },
    progress: () => void (this.#isProgressVisible = true),
    showHotspot: ({ index, element: of }) => {
      hold(!this.#hotspots.has(index), 'a hotspot is drawn once');
      this.#hotspots.add(index);
      this.#drawings.set(index, of);
    },
    hideHotspot: at => {
      hold(this.#hotspots.delete(at), 'only a drawn hotspot is removed');
      for (const each of [this.#lookups, this.#watches, this.#followed]) each.delete(at);
    },
    replace: at => hold(this.#followed.has(at), 'only a followed element is replaced'),
    locate: at => {
      hold(!this.#lookups.has(at), 'a step has one lookup');
      this.#lookups.add(at);
    },
    watch: at => void this.#watches.add(at),
    follow: at => void this.#followed.add(at),
    leave: () => {
      for (const each of [this.#lookups, this.#watches, this.#drawings]) each.clear();
    },
    restart: () => undefined,
    close: () => {
      this.#closed++;
      this.#isProgressVisible = false;
      this.#popover = null;
      for (const each of [this.#hotspots, this.#followed]) each.clear();
    },
  };

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value;
  }

  #commands(): Command[] {
    const ofHotspots = [...this.#hotspots].flatMap((hotspot): Command[] => [
      { hotspot, does: 'open' },
      { hotspot, does: 'finish' },
    ]);
    const ofPopover: Command[] = ['next', 'next', 'next', 'previous', { choose: 0 }, { choose: 1 }, 'overlay'];
    const closing = this.#random() < 0.1 ? (['close', 'escape'] as const) : [];
    return [...ofHotspots, ...(this.#popover === null ? [] : ofPopover), ...closing];
  }

  #possible(): MachineEvent[] {
    const isTimed = (at: number) => /TARGET_CLICK|ELEMENT|DELAY/.test(this.#steps[at]?.advance.on ?? '');
    return [
      ...this.#commands().map((command): MachineEvent => ['command', command]),
      ['path'],
      ['event', 'paid'],
      ...[...this.#lookups].flatMap((at): MachineEvent[] => [
        ['found', at, element],
        ['found', at, this.#pick([element, null])],
        ['slow', at],
      ]),
      ...[...this.#drawings].map(([at, of]): MachineEvent => ['drawn', at, of]),
      ...[...this.#watches].filter(isTimed).map((at): MachineEvent => ['advanced', at]),
      ...[...this.#followed].map((at): MachineEvent =>
        this.#pick([
          ['gone', at],
          ['replaced', at, element],
        ] as const),
      ),
    ];
  }

  send(event: MachineEvent = this.#pick(this.#possible())) {
    const [type, at] = event;
    if (type === 'path') this.#path = this.#pick(PATHS);
    if (type === 'found') this.#lookups.delete(at);
    if (type === 'drawn') this.#drawings.delete(at);
    if (type === 'gone') this.#followed.delete(at);
    const [state, effects] = transition(this.#tour, this.#state, event);
    this.#state = state;
    this.trace.push(
      `${formatCall(this.#steps, event)} ${this.#path} -> ${formatState(this.#steps, state)}: ${effects
        .map(effect => formatCall(this.#steps, effect))
        .join(', ')}`,
    );
    for (const effect of effects) call(this.#effects, effect);
    this.check();
  }

  check() {
    const { active, ended, shown, held } = this.#state;
    hold(this.#closed === (ended ? 1 : 0), 'a run closes once, when it ends');
    hold(Object.keys(active).length > 0 === !ended, 'an open run has an active step');
    hold(this.#popover === null || this.#popover === shown, 'the popover is that of the last step shown');
    for (const [key, status] of Object.entries(active)) this.#checkStep(Number(key), status);
    const isActive = (at: number) => at in active;
    const pending = [...this.#lookups, ...this.#drawings.keys(), ...this.#watches];
    hold(pending.every(isActive), 'only active steps are located, drawn and watched');
    hold([...this.#hotspots].every(isActive), 'a visible hotspot is active');
    hold(!this.#isProgressVisible || this.#lookups.size > 0, 'progress is that of a lookup');
    if (held) hold(this.#reported.length === 0, 'nothing is reported before the first drawing');
    else this.#checkReport();
  }

  /** Something must be able to end each status. */
  #checkStep(at: number, status: Status) {
    const step = this.#steps[at] as PlayStep;
    const { back, waits, together } = traitsOf(step);
    const { direction, leaving } = this.#state;
    const isLocated = this.#lookups.has(at);
    const isVisible = together ? this.#hotspots.has(at) : this.#popover === at;
    const isWatched = this.#watches.has(at);
    switch (status) {
      case 'PAGE':
        return hold(!matchesPath(step.page ?? '*', this.#path), 'a step waits for another page');
      case 'LOOKUP':
        return hold(isLocated && !waits, 'a lookup is pending');
      case 'DRAWING':
        return hold(this.#drawings.has(at) && isVisible, 'a drawing is pending');
      case 'SHOWN':
        return hold(isVisible && isWatched && !waits && !leaving, 'a shown step can be completed');
      case 'LOST':
        return hold(isLocated && isWatched && back && !isVisible && direction > 0, 'a lost popover is located');
      case 'WAIT':
        return hold((isLocated || isWatched) && waits, 'a wait is located or watched');
      default:
        return status satisfies never;
    }
  }

  #checkReport() {
    const kinds = this.#reported.map(({ kind }) => kind);
    hold(kinds.lastIndexOf('RUN_STARTED') === 0, 'the start is reported once, first');
    const end = kinds.findIndex(kind => /^RUN_(?!STARTED)/.test(kind));
    hold(end < 0 || end === kinds.length - 1, 'the end is the last event');
    const seen = new Set<string>();
    for (const event of this.#reported) {
      if (event.kind === 'STEP_SEEN') seen.add(event.stepKey);
      // The advance rule can complete a hotspot whose popover was not opened.
      const isHotspot =
        'stepKey' in event && this.#steps.some(({ key, kind }) => key === event.stepKey && STEP_KINDS[kind].together);
      if (event.kind === 'STEP_DONE') hold(isHotspot || seen.has(event.stepKey), 'a completed step was seen');
    }
  }
}

function violationOf(seed: number): string | null {
  const model = new Model(seed);
  try {
    model.send(['start', 0]);
    for (let count = 0; count < 60 && !model.ended; count++) model.send();
    if (!model.ended) model.send(['stop', 'PROGRAM']);
    model.send(['command', 'next']);
    return null;
  } catch (error) {
    return `Seed ${seed}: ${String(error)}\n${model.trace.join('\n')}`;
  }
}

it('holds its invariants for random tours and events', () => {
  for (let seed = 1; seed <= 1000; seed++) expect(violationOf(seed)).toBeNull();
});

it('ends a run whose branches lead in a circle of steps that cannot be shown', () => {
  const skipped = (key: string, to: string) =>
    playStep(key, { kind: 'TOOLTIP', target, branches: [{ to, label: null, when: null }] });
  const tour: Tour = {
    steps: [skipped('a', 'b'), skipped('b', 'a')],
    theme: playTheme,
    page: { path: () => '/', evaluate: () => false },
  };
  let state = transition(tour, initialState([]), ['start', 0])[0];
  for (let count = 0; count < 20 && !state.ended; count++)
    [state] = transition(tour, state, ['found', Number(Object.keys(state.active)[0]), null]);
  expect(state.ended).toBe(true);
});
