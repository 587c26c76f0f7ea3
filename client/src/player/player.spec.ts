import { describe, expect, it } from 'vitest';
import { createPlayer } from './player';
import type { Command, MissingTarget, PlayEvent, PlayStep, PlayTheme } from './types';

const THEME: PlayTheme = {
  overlayOpacity: 0.7,
  stagePadding: 10,
  stageRadius: 5,
  popoverOffset: 10,
  animationMs: 400,
  overlayColor: '#000000',
  accentColor: '#2f5bea',
  popoverWidth: 320,
};

function step(key: string, options: { on?: string; missing?: MissingTarget } = {}): PlayStep {
  return {
    key,
    kind: options.on ? 'SPOTLIGHT' : 'MODAL',
    title: key,
    body: '',
    target: options.on ? { by: 'DATA_TOUR', value: options.on } : null,
    side: 'AUTO',
    nextLabel: null,
    backLabel: null,
    doneLabel: null,
    missingTarget: options.missing ?? 'SKIP_STEP',
    waitMs: 8000,
  };
}

/** A player on a page that has the elements named in `present`, with everything it drew and told. */
function play(steps: PlayStep[], present: string[] = []) {
  const shown: string[] = [];
  const events: PlayEvent[] = [];
  let closed = 0;
  const commands: { send?: (command: Command) => void } = {};
  const player = createPlayer({
    steps,
    theme: THEME,
    renderer: (_steps, _theme, onCommand) => {
      commands.send = onCommand;
      return {
        show: async ({ step: { key }, element }) => void shown.push(element ? `${key}*` : key),
        close: async () => void closed++,
      };
    },
    locate: async (target) => (present.includes(target.value) ? document.createElement('i') : null),
    onEvent: (event) => events.push(event),
  });
  return { player, shown, kinds: () => events.map((event) => event.kind), events, closed: () => closed, send: (c: Command) => commands.send?.(c) };
}

describe('a run', () => {
  it('begins with its first painted step and ends after the last', async () => {
    const run = play([step('a', { on: 'x' }), step('b')], ['x']);
    await run.player.start();
    await run.player.next();
    await run.player.next();
    expect(run.shown).toEqual(['a*', 'b']);
    expect(run.kinds()).toEqual(['RUN_STARTED', 'STEP_SEEN', 'STEP_DONE', 'STEP_SEEN', 'STEP_DONE', 'RUN_COMPLETED']);
    expect(run.closed()).toBe(1);
  });

  it('does not count as started when nothing could be painted', async () => {
    const run = play([step('a', { on: 'gone' })]);
    await run.player.start();
    expect(run.events).toEqual([]);
    expect(run.closed()).toBe(1);
  });

  it('tells of an element that was missing before the first painted step', async () => {
    const run = play([step('a', { on: 'gone' }), step('b')]);
    await run.player.start();
    expect(run.events).toEqual([
      { kind: 'RUN_STARTED' },
      { kind: 'TARGET_MISSING', stepKey: 'a' },
      { kind: 'STEP_SEEN', stepKey: 'b' },
    ]);
  });

  it('goes back over steps whose element is missing', async () => {
    const run = play([step('a'), step('b', { on: 'gone' }), step('c')]);
    await run.player.start(2);
    await run.player.previous();
    expect(run.shown).toEqual(['c', 'a']);
  });

  it('stays where it is when there is nothing to go back to', async () => {
    const run = play([step('a'), step('b')]);
    await run.player.start();
    await run.player.previous();
    await run.player.next();
    expect(run.shown).toEqual(['a', 'b']);
  });

  it('shows a step in the middle where its rule says so', async () => {
    const run = play([step('a', { on: 'gone', missing: 'SHOW_CENTERED' })]);
    await run.player.start();
    expect(run.shown).toEqual(['a']);
  });

  it('fails where a missing element ends it', async () => {
    const run = play([step('a'), step('b', { on: 'gone', missing: 'END_RUN' })]);
    await run.player.start();
    await run.player.next();
    expect(run.events.at(-1)).toEqual({ kind: 'RUN_FAILED', reason: 'TARGET_MISSING', stepKey: 'b' });
  });

  it.each([
    ['close', 'CLOSE_BUTTON'],
    ['escape', 'ESCAPE'],
    ['overlay', 'OVERLAY_CLICK'],
  ] as const)('is dismissed by %s', async (command, reason) => {
    const run = play([step('a')]);
    await run.player.start();
    run.send(command);
    expect(run.events.at(-1)).toEqual({ kind: 'RUN_DISMISSED', reason, stepKey: 'a' });
  });

  it('ends once, whatever comes after', async () => {
    const run = play([step('a')]);
    await run.player.start();
    await Promise.all([run.player.stop('PROGRAM'), run.player.next(), run.player.stop('ESCAPE')]);
    expect(run.kinds().filter((kind) => kind.startsWith('RUN_'))).toEqual(['RUN_STARTED', 'RUN_DISMISSED']);
  });

  it('leaves no trace when it is suspended', async () => {
    const run = play([step('a')]);
    await run.player.start();
    await run.player.suspend();
    expect(run.kinds()).toEqual(['RUN_STARTED', 'STEP_SEEN']);
  });
});
