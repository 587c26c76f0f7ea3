import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { play, silent, step, useDrawing } from './player.fixtures';
import type { Command } from './types';

describe('missing elements', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    useDrawing(silent);
  });
  afterEach(() => void vi.useRealTimers());

  const steps = [step('a'), step('b', { on: 'b' }), step('c', { on: 'c' }), step('d', { on: 'd' }), step('e')];
  const started = async (present: string[] = [], all = steps) => {
    const run = play(all, present, [], true);
    void run.player.start();
    await vi.advanceTimersByTimeAsync(0);
    return {
      ...run,
      async press(...commands: Command[]) {
        for (const command of commands) void run.send(command);
        await vi.advanceTimersByTimeAsync(0);
      },
    };
  };

  it('that were awaited while a step was shown are skipped at once', async () => {
    const run = await started();
    await vi.advanceTimersByTimeAsync(8000);
    await run.press('next');
    expect(run.shown).toEqual(['a', 'e']);
    expect(run.reported().slice(2)).toEqual([
      'STEP_DONE a',
      'TARGET_MISSING b',
      'TARGET_MISSING c',
      'TARGET_MISSING d',
      'STEP_SEEN e',
    ]);
  });

  it('are awaited at the same time, with progress after 300 ms', async () => {
    const run = await started();
    await vi.advanceTimersByTimeAsync(2000);
    await run.press('next');
    await vi.advanceTimersByTimeAsync(299);
    expect(run.shown).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(run.shown).toEqual(['a', '…']);
    await vi.advanceTimersByTimeAsync(5700);
    expect(run.shown).toEqual(['a', '…', 'e']);
  });

  it('keep every button usable, and a repeated press is reported once', async () => {
    const run = await started();
    await run.press('next', 'next');
    await vi.advanceTimersByTimeAsync(1000);
    await run.press('next');
    expect(run.reported()).toEqual(['RUN_STARTED', 'STEP_SEEN a', 'STEP_DONE a']);
    await run.press('close');
    expect(run.reported().at(-1)).toBe('RUN_DISMISSED a');
    expect(run.closed()).toBe(1);
  });

  it('do not prevent going back, after which the step can be completed again', async () => {
    const run = await started([], [step('z'), ...steps]);
    await run.press('next');
    await run.press('next');
    await run.press('previous');
    expect(run.shown).toEqual(['z', 'a', 'z']);
    await run.press('next');
    expect(run.reported().filter(event => event === 'STEP_DONE z')).toHaveLength(2);
  });

  it('are awaited again after the visitor has used the page, but not after a command', async () => {
    const run = await started();
    await vi.advanceTimersByTimeAsync(8000);
    run.dispatch('use');
    await vi.advanceTimersByTimeAsync(1000);
    run.dispatch('use');
    await run.press('next');
    expect(run.lookups.at(-1)).toBe('b 7000');
    run.elements.set('b', document.createElement('button'));
    await vi.advanceTimersByTimeAsync(100);
    expect(run.shown).toEqual(['a', 'b*']);
  });

  it.each([
    ['an event', { on: 'EVENT', event: 'paid' }, 8000],
    ['a delay', { on: 'DELAY', delayMs: 8000 }, 0],
  ] as const)('are awaited after %s as long as it can lead to new elements', async (_, advance, waitMs) => {
    const run = await started([], [step('a', { advance }), step('b', { on: 'b' })]);
    await vi.advanceTimersByTimeAsync(8000);
    run.dispatch('event paid');
    await vi.advanceTimersByTimeAsync(0);
    expect(run.lookups).toEqual([`b ${waitMs}`]);
  });

  it('do not keep a popover whose own element disappears', async () => {
    const run = await started(['x'], [step('a', { on: 'x' }), step('b', { on: 'b' })]);
    await run.press('next');
    void run.removeElement('x');
    await vi.advanceTimersByTimeAsync(0);
    expect(run.shown).toEqual(['a*', '-', '…']);
  });
});
