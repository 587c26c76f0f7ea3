import { beforeEach, describe, expect, it, vi } from 'vitest';
import { drawings, type Options, play, settled, step, useDrawing } from './player.fixtures';

/** Lets the time pass in which presses are ignored. */
function later() {
  const now = performance.now() + 1000;
  vi.spyOn(performance, 'now').mockReturnValue(now);
}

describe.each(Object.entries(drawings))('with %s,', (_, each) => {
  beforeEach(() => useDrawing(each));

  describe('a run', () => {
    it('starts with its first visible step and ends after the last one', async () => {
      const run = play([step('a', { on: 'x' }), step('b')], ['x']);
      await run.player.start();
      await run.player.next();
      await run.player.next();
      expect(run.shown).toEqual(['a*', 'b']);
      expect(run.kinds()).toEqual(['RUN_STARTED', 'STEP_SEEN', 'STEP_DONE', 'STEP_SEEN', 'STEP_DONE', 'RUN_COMPLETED']);
      expect(run.closed()).toBe(1);
    });

    it('does not start if no step can be shown', async () => {
      const run = play([step('a', { on: 'gone' })]);
      await run.player.start();
      expect(run.events).toEqual([]);
      expect(run.closed()).toBe(1);
    });

    it('reports an element that was missing before the first visible step', async () => {
      const run = play([step('a', { on: 'gone' }), step('b')]);
      await run.player.start();
      expect(run.events).toEqual([
        { kind: 'RUN_STARTED' },
        { kind: 'TARGET_MISSING', stepKey: 'a' },
        { kind: 'STEP_SEEN', stepKey: 'b' },
      ]);
    });

    it('skips steps with a missing element when going back', async () => {
      const run = play([step('a'), step('b', { on: 'gone' }), step('c')]);
      await run.player.start(2);
      await run.player.previous();
      expect(run.shown).toEqual(['c', 'a']);
    });

    it('stays at the first step when going back', async () => {
      const run = play([step('a'), step('b')]);
      await run.player.start();
      await run.player.previous();
      await run.player.next();
      expect(run.shown).toEqual(['a', 'b']);
    });

    it('shows a step with a missing element in the center if configured', async () => {
      const run = play([step('a', { on: 'gone', missing: 'SHOW_CENTERED' })]);
      await run.player.start();
      expect(run.shown).toEqual(['a']);
    });

    it('fails if a missing element ends the run', async () => {
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
      const run = play([step('a', { closeOnOutsideClick: true })]);
      await run.player.start();
      later();
      await run.send(command);
      expect(run.events.at(-1)).toEqual({ kind: 'RUN_DISMISSED', reason, stepKey: 'a' });
    });

    it('ends only once', async () => {
      const run = play([step('a')]);
      await run.player.start();
      await Promise.all([run.player.stop('PROGRAM'), run.player.next(), run.player.stop('ESCAPE')]);
      expect(run.kinds().filter(kind => kind.startsWith('RUN_'))).toEqual(['RUN_STARTED', 'RUN_DISMISSED']);
    });

    it('reports no end when it is suspended', async () => {
      const run = play([step('a')]);
      await run.player.start();
      await run.player.suspend();
      expect(run.kinds()).toEqual(['RUN_STARTED', 'STEP_SEEN']);
    });
  });

  describe('an advance rule', () => {
    it('completes the step on a click on its element and hides the Next button', async () => {
      const run = play([step('a', { on: 'x', advance: { on: 'TARGET_CLICK' } }), step('b')], ['x']);
      await run.player.start();
      expect(run.last()?.next).toBe(false);
      await run.send('next');
      expect(run.shown).toEqual(['a*']);
      run.elements.get('x')?.click();
      await settled();
      expect(run.shown).toEqual(['a*', 'b']);
      run.elements.get('x')?.click();
      await settled();
      expect(run.reported()).toEqual(['RUN_STARTED', 'STEP_SEEN a', 'STEP_DONE a', 'STEP_SEEN b']);
    });

    it.each([
      ['an event', { on: 'EVENT', event: 'paid' }, 'event paid'],
      ['an element', { on: 'ELEMENT', selector: '#x' }, 'element #x'],
    ] as const)('completes the step on %s', async (_, advance, name) => {
      const run = play([step('a', { advance }), step('b')]);
      await run.player.start();
      run.dispatch('event other');
      await settled();
      expect(run.shown).toEqual(['a']);
      run.dispatch(name);
      await settled();
      expect(run.shown).toEqual(['a', 'b']);
    });

    it('completes the step on a page, also if the step is not shown there', async () => {
      const run = play([step('a', { page: '/', advance: { on: 'PAGE', page: '/cart*' } }), step('b')]);
      await run.player.start();
      await run.goTo('/cart/7');
      expect(run.shown).toEqual(['a', 'b']);
      expect(run.reported()).toContain('STEP_DONE a');
    });

    it('completes the step after a delay', async () => {
      const run = play([step('a', { advance: { on: 'DELAY', delayMs: 1 } }), step('b')]);
      await run.player.start();
      await expect.poll(() => run.shown).toEqual(['a', 'b']);
    });
  });

  describe('a step with a page', () => {
    it('is hidden on other pages and appears on its own', async () => {
      const run = play([step('a'), step('b', { page: '/orders' })]);
      await run.player.start();
      await run.send('next');
      expect(run.shown).toEqual(['a', '-']);
      await run.goTo('/orders');
      expect(run.shown).toEqual(['a', '-', 'b']);
      await run.goTo('/elsewhere');
      expect(run.shown).toEqual(['a', '-', 'b', '-']);
      await run.goTo('/orders');
      await run.send('previous');
      expect(run.shown).toEqual(['a', '-', 'b', '-', 'b', 'a']);
    });
  });

  describe('a wait step', () => {
    it('shows nothing until it is completed', async () => {
      const run = play([step('a'), step('w', { kind: 'WAIT', advance: { on: 'EVENT', event: 'paid' } }), step('b')]);
      await run.player.start();
      await run.send('next');
      expect(run.shown).toEqual(['a', '-']);
      run.dispatch('event paid');
      await settled();
      expect(run.shown).toEqual(['a', '-', 'b']);
      expect(run.reported().slice(3)).toEqual(['STEP_SEEN w', 'STEP_DONE w', 'STEP_SEEN b']);
      await run.send('previous');
      expect(run.shown.at(-1)).toBe('a');
    });

    it('does not start a run; the first popover after it does', async () => {
      const run = play([step('w', { kind: 'WAIT', advance: { on: 'EVENT', event: 'paid' } }), step('b')]);
      void run.player.start();
      await settled();
      expect(run.reported()).toEqual([]);
      run.dispatch('event paid');
      await settled();
      expect(run.reported()).toEqual(['RUN_STARTED', 'STEP_SEEN w', 'STEP_DONE w', 'STEP_SEEN b']);
    });

    it('can wait for a click on an element', async () => {
      const wait = step('w', { on: 'x', kind: 'WAIT', advance: { on: 'TARGET_CLICK' } });
      const run = play([wait, step('b')], ['x']);
      void run.player.start();
      await settled();
      run.elements.get('x')?.click();
      await settled();
      expect(run.shown).toEqual(['b']);
    });
  });

  describe('hotspots', () => {
    const hotspot = (key: string, options: Options = {}) => step(key, { on: key, kind: 'HOTSPOT', ...options });

    it('are shown together and can be completed in any order', async () => {
      const run = play([hotspot('a'), hotspot('b'), hotspot('gone'), step('c')], ['a', 'b']);
      void run.player.start(1);
      await settled();
      expect(run.hotspots()).toEqual(['a', 'b']);
      await run.send({ hotspot: 1, does: 'open' });
      await run.send({ hotspot: 1, does: 'finish' });
      await run.send({ hotspot: 1, does: 'finish' });
      expect(run.hotspots()).toEqual(['a']);
      expect(run.shown).toEqual([]);
      await run.send({ hotspot: 0, does: 'open' });
      await run.send({ hotspot: 0, does: 'finish' });
      expect(run.shown).toEqual(['c']);
      expect(run.reported()).toEqual([
        'RUN_STARTED',
        'TARGET_MISSING gone',
        'STEP_SEEN b',
        'STEP_DONE b',
        'STEP_SEEN a',
        'STEP_DONE a',
        'STEP_SEEN c',
      ]);
    });

    it('do not count when the last popover is determined', async () => {
      const run = play([step('a'), step('b'), hotspot('c'), hotspot('d')], ['c', 'd']);
      await run.player.start();
      expect(run.last()?.last).toBe(false);
      await run.player.next();
      expect(run.last()?.last).toBe(true);
      void run.player.next();
      await settled();
      expect(run.hotspots()).toEqual(['c', 'd']);
    });

    it('are not shown again after they were completed', async () => {
      const run = play([hotspot('a'), hotspot('b')], ['a', 'b'], ['a']);
      void run.player.start();
      await settled();
      expect(run.hotspots()).toEqual(['b']);
    });

    it('are completed by their advance rule', async () => {
      const run = play([hotspot('a', { advance: { on: 'TARGET_CLICK' } })], ['a']);
      const played = run.player.start();
      await settled();
      run.elements.get('a')?.click();
      await played;
      expect(run.reported()).toEqual(['RUN_STARTED', 'STEP_DONE a', 'RUN_COMPLETED']);
    });

    it('end the run if a required one is missing', async () => {
      const run = play([hotspot('a'), hotspot('b', { missing: 'END_RUN' })], ['a']);
      await run.player.start();
      expect(run.closed()).toBe(1);
    });
  });

  describe('an element that disappears', () => {
    it.each([
      ['SKIP_STEP', ['-', '…', 'b'], ['STEP_SEEN b']],
      ['SHOW_CENTERED', ['-', '…', 'a'], []],
      ['END_RUN', ['-', '…'], ['RUN_FAILED a']],
    ] as const)('is located again and then handled as missing: %s', async (missing, shown, reported) => {
      const run = play([step('a', { on: 'x', kind: 'TOOLTIP', missing }), step('b')], ['x']);
      await run.player.start();
      await run.removeElement('x', 'x');
      expect(run.shown).toEqual(['a*', '-', '…', 'a*']);
      await run.removeElement('x');
      expect(run.shown.slice(4)).toEqual(shown);
      expect(run.reported()).toEqual(['RUN_STARTED', 'STEP_SEEN a', ...reported]);
    });

    it('removes its hotspot, which reappears with it or is skipped', async () => {
      const hotspot = (key: string) => step(key, { on: key, kind: 'HOTSPOT' });
      const run = play([hotspot('a'), hotspot('b')], ['a', 'b']);
      const played = run.player.start();
      await settled();
      await run.removeElement('a', 'a');
      expect(run.hotspots().toSorted()).toEqual(['a', 'b']);
      await run.removeElement('a');
      expect(run.hotspots()).toEqual(['b']);
      await run.send({ hotspot: 1, does: 'finish' });
      await played;
      expect(run.reported()).toEqual(['RUN_STARTED', 'TARGET_MISSING a', 'STEP_DONE b', 'RUN_COMPLETED']);
    });
  });

  describe('branches', () => {
    const guest = {
      page: null,
      locale: null,
      device: null,
      tour: null,
      trait: { key: 'customer', is: 'IS', value: 'guest' },
    } as const;
    const member = { ...guest, trait: { ...guest.trait, value: 'member' } };

    it('with a label are buttons that replace Next', async () => {
      const run = play([
        step('a', {
          branches: [
            { label: 'C', to: 'c' },
            { label: 'No', to: null },
            { label: 'Hidden', to: 'b', when: member },
          ],
        }),
        step('b'),
        step('c'),
      ]);
      await run.player.start();
      expect(run.last()).toMatchObject({
        next: false,
        count: null,
        choices: [
          { label: 'C', to: 2 },
          { label: 'No', to: 3 },
        ],
      });
      await run.send({ choose: 0 });
      expect(run.shown).toEqual(['a', 'c']);
      await run.send('previous');
      expect(run.shown).toEqual(['a', 'c', 'a']);
      await run.send({ choose: 1 });
      expect(run.reported().at(-1)).toBe('RUN_COMPLETED');
    });

    it('end a run as dismissed if the visitor declines at the first step', async () => {
      const steps = [
        step('a', {
          branches: [
            { label: 'Show me', to: 'b' },
            { label: 'No, thanks', to: null },
          ],
        }),
        step('b'),
      ];
      const declined = play(steps);
      await declined.player.start();
      await declined.send({ choose: 1 });
      expect(declined.reported()).toEqual(['RUN_STARTED', 'STEP_SEEN a', 'RUN_DISMISSED a']);
      const taken = play([steps[1] ?? step('b'), step('c', { branches: [{ label: 'Enough', to: null }] }), step('d')]);
      await taken.player.start();
      await taken.send('next');
      await taken.send({ choose: 0 });
      expect(taken.reported().at(-1)).toBe('RUN_COMPLETED');
      const single = play([step('a', { branches: [{ label: 'Got it', to: null }] })]);
      await single.player.start();
      await single.send({ choose: 0 });
      expect(single.reported().at(-1)).toBe('RUN_COMPLETED');
    });

    it('without a label are taken automatically: the first whose condition holds', async () => {
      const steps = [
        step('a', { branches: [{ to: 'b', when: member }, { to: 'c', when: guest }, { to: null }] }),
        step('b'),
        step('c'),
      ];
      const run = play(steps);
      await run.player.start();
      await run.send('next');
      expect(run.shown).toEqual(['a', 'c']);
      await run.player.suspend();
      const other = play(steps);
      other.state.customer = 'member';
      await other.player.start();
      await other.send('next');
      expect(other.shown).toEqual(['a', 'b']);
    });

    it('of a skipped step are taken, too', async () => {
      const run = play([step('a', { on: 'gone', branches: [{ to: 'c' }] }), step('b'), step('c')]);
      await run.player.start();
      expect(run.shown).toEqual(['c']);
    });
  });

  it('ignores clicks outside by default, also if a step blocks the page', async () => {
    const run = play([step('a'), step('b', { blockPage: true })]);
    await run.player.start();
    later();
    await run.send('overlay');
    await run.send('next');
    later();
    await run.send('overlay');
    expect(run.closed()).toBe(0);
    await run.send('escape');
    expect(run.closed()).toBe(1);
  });

  it('ignores a click outside that was aimed at what was there before the step', async () => {
    const run = play([step('a', { closeOnOutsideClick: true })]);
    await run.player.start();
    await run.send('overlay');
    expect(run.closed()).toBe(0);
  });

  it('follows an element that the page replaces, without reporting the step again', async () => {
    const click = { on: 'TARGET_CLICK' } as const;
    const run = play([step('a', { on: 'x', advance: click }), step('b')], ['x']);
    await run.player.start();
    for (let time = 0; time < 3; time++) run.replaceElement('x');
    expect(run.replaced).toHaveLength(3);
    run.elements.get('x')?.click();
    await settled();
    expect(run.reported()).toEqual(['RUN_STARTED', 'STEP_SEEN a', 'STEP_DONE a', 'STEP_SEEN b']);
    expect(run.shown).toEqual(['a*', 'b']);
  });
});
