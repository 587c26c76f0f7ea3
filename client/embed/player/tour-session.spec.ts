import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BootedTour } from './choose-tour';
import { playStep as step, playTheme } from './fixtures';
import { browserPage } from './page';
import { dispatchPageEvent } from './page-event';
import type { RecordedAttempt, RecordedEvent, RecordedGoal } from './recorder';
import { createReportedEvents } from './reported-events';
import { type CreateRun, runsOn } from './run';
import { createTourSession, type TourSession } from './tour-session';
import type { Command, RendererFactory } from './types';
import { waitUntilNoDialog } from './wait-until-no-dialog';

const tour = (rest: Partial<BootedTour> = {}): BootedTour => ({
  tourId: 'tour',
  releaseId: 'release',
  slug: 'first',
  title: 'First',
  steps: [step('a'), step('b')],
  start: { trigger: 'MANUAL', event: null, page: null, when: null, delayMs: 0, ignoreCooldown: false },
  theme: playTheme,
  locales: ['en'],
  resume: null,
  ...rest,
});

const unfinished = { runId: 'old-run', stepKey: 'b', page: null, seq: 3, doneSteps: ['a'] };
/** From the browser's. */
const CLOCK_OFFSET_MS = 3_600_000;
const open: TourSession[] = [];
const noSending = { flush: async () => undefined, dispose: () => undefined };

function visit(
  tours: BootedTour[],
  load?: () => Promise<CreateRun>,
  response: Promise<void> = Promise.resolve(),
  isPageBusy = () => false,
) {
  const events: RecordedEvent[] = [];
  const goals: RecordedGoal[] = [];
  const attempts: RecordedAttempt[] = [];
  const shown: string[] = [];
  const playing: (string | null)[] = [];
  let hides = 0;
  let press: (command: Command) => void = () => undefined;
  const renderer: RendererFactory = (_steps, _theme, onCommand) => {
    press = onCommand;
    return {
      show: async view => void shown.push(view.step.key),
      hide: async () => void (hides += 1),
      showProgress: () => undefined,
      showHotspot: async () => undefined,
      hideHotspot: () => undefined,
      replaceElement: () => undefined,
      close: async () => undefined,
    };
  };
  const state = { path: '/' };
  const waitUntilReady = vi.fn(waitUntilNoDialog);
  const moves = new EventTarget();
  const page = browserPage({
    root: document.body,
    path: () => state.path,
    onPath: (listener, signal) => moves.addEventListener('move', listener, { signal }),
  });
  const goTo = (path: string) => {
    state.path = path;
    moves.dispatchEvent(new Event('move'));
  };
  const createRun = runsOn({ renderer, page, locales: ['en'] });
  const session = createTourSession({
    boot: async () => {
      await response;
      return { tours, goals: ['bought'], serverTime: new Date(Date.now() + CLOCK_OFFSET_MS).toISOString() };
    },
    recorders: [
      { add: event => void events.push(event), ...noSending },
      { add: goal => void goals.push(goal), ...noSending },
      { add: attempt => void attempts.push(attempt), ...noSending },
    ],
    isUnreported: createReportedEvents(null, 'key'),
    loadPlayer: load ?? (async () => createRun),
    page,
    isPageBusy,
    waitUntilReady,
    onEvent: () => {},
    onPlaying: slug => void playing.push(slug),
  });
  open.push(session);
  return {
    session,
    events,
    goals,
    attempts,
    hides: () => hides,
    shown,
    playing,
    createRun,
    waitUntilReady,
    goTo,
    press: (command: Command) => press(command),
  };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(session => session.dispose()));
  localStorage.clear();
});

describe('a visit', () => {
  it('resumes an active run at its step and continues its sequence numbers', async () => {
    const page = visit([tour({ resume: unfinished })]);
    await page.session.begin();
    await expect.poll(() => page.shown).toEqual(['b']);
    expect(page.events.map(({ runId, seq, kind }) => `${runId} ${seq} ${kind}`)).toEqual(['old-run 3 STEP_SEEN']);
  });

  it('continues the old release on this page and resumes the new release on the next one', async () => {
    const before = visit([tour({ releaseId: 'old' })]);
    await before.session.begin();
    await before.session.play('first');
    before.press('next');
    await expect.poll(() => before.shown).toEqual(['a', 'b']);
    expect(new Set(before.events.map(({ releaseId }) => releaseId))).toEqual(new Set(['old']));
    await before.session.dispose();
    const { runId = '', seq = 0 } = before.events.at(-1) ?? {};
    const steps = [step('x'), step('b'), step('c')];
    const after = visit([
      tour({ releaseId: 'new', steps, resume: { runId, stepKey: 'b', page: null, seq: seq + 1, doneSteps: ['a'] } }),
    ]);
    await after.session.begin();
    await expect.poll(() => after.shown).toEqual(['b']);
    after.press('next');
    await expect.poll(() => after.shown).toEqual(['b', 'c']);
    expect(new Set(after.events.map(each => `${each.runId} ${each.releaseId}`))).toEqual(new Set([`${runId} new`]));
    expect(after.events[0]).toMatchObject({ kind: 'STEP_SEEN', stepKey: 'b', seq: seq + 1 });
  });

  it('plays a tour again as a separate run, also after a resumed run has ended', async () => {
    const page = visit([tour({ resume: unfinished })]);
    await page.session.begin();
    await expect.poll(() => page.shown).toEqual(['b']);
    page.press('close');
    await expect.poll(() => page.playing.at(-1)).toBeNull();
    await page.session.play('first');
    const again = page.events.filter(({ runId }) => runId !== 'old-run');
    expect(again.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual(['0 RUN_STARTED', '1 STEP_SEEN']);
    expect(page.shown).toEqual(['b', 'a']);
  });

  it('plays a tour that was requested before the server responded', async () => {
    const page = visit([tour()]);
    const begun = page.session.begin();
    await page.session.play('first');
    await begun;
    await expect.poll(() => page.shown).toEqual(['a']);
  });

  it('plays one tour at a time', async () => {
    const page = visit([tour()]);
    await page.session.begin();
    await Promise.all([page.session.play('first'), page.session.play('first')]);
    expect(page.shown).toEqual(['a']);
    expect(page.events.map(({ kind }) => kind)).toEqual(['RUN_STARTED', 'STEP_SEEN']);
  });

  it('can play a tour again after the player could not be loaded', async () => {
    let attempts = 0;
    const page = visit([tour()], async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('offline');
      return page.createRun;
    });
    await page.session.begin();
    await page.session.play('first');
    expect([page.playing.at(-1), page.events]).toEqual([null, []]);
    await page.session.play('first');
    expect(page.shown).toEqual(['a']);
  });

  it('does not try to start a tour again and again if the player cannot be loaded', async () => {
    const load = vi.fn(async (): Promise<CreateRun> => {
      throw new Error('blocked');
    });
    const page = visit([tour({ resume: unfinished }), starting('other', { ignoreCooldown: true })], load);
    await page.session.begin();
    for (let turn = 0; turn < 10; turn += 1) {
      // Other installations check after each tour.
      page.session.check();
      await new Promise(resolve => setTimeout(resolve));
    }
    expect(load).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['before the server responds', false],
    ['while the player is loaded', true],
  ])('does not play a tour that the page stops %s', async (_, begun) => {
    let loaded: (createRun: CreateRun) => void = () => undefined;
    const player = new Promise<CreateRun>(resolve => (loaded = resolve));
    const page = visit([tour()], () => player);
    if (begun) await page.session.begin();
    const played = page.session.play('first');
    await page.session.stop();
    if (!begun) await page.session.begin();
    loaded(page.createRun);
    await played;
    expect(page.shown).toEqual([]);
    await page.session.play('first');
    expect(page.shown).toEqual(['a']);
  });

  it('dates run events by the clock of the server', async () => {
    const page = visit([tour()]);
    await page.session.begin();
    await page.session.play('first');
    expect(page.events).toHaveLength(2);
    for (const { at } of page.events) expect(Date.parse(at) - Date.now()).toBeGreaterThan(CLOCK_OFFSET_MS / 2);
  });

  it('ends the run when the page stops it', async () => {
    const page = visit([tour()]);
    await page.session.begin();
    await page.session.play('first');
    await page.session.stop();
    expect(page.events.at(-1)).toMatchObject({ kind: 'RUN_DISMISSED', reason: 'PROGRAM' });
  });

  it('explains why a tour does not start', async () => {
    const page = visit([
      starting('here', {}),
      starting('orders', { page: '/orders', ignoreCooldown: true }),
      starting('paid', { trigger: 'EVENT', event: 'paid', ignoreCooldown: true }),
      starting('polite', {}),
    ]);
    const reasons = () => ['here', 'orders', 'paid', 'polite', 'other'].map(page.session.explain);
    expect(reasons()).toEqual(Array.from({ length: 5 }, () => 'NOT_LOADED'));
    await page.session.begin();
    expect(reasons()).toEqual([null, 'PAGE', 'TRIGGER', null, 'NOT_OFFERED']);
    await expect.poll(() => page.shown).toEqual(['here']);
    expect(reasons()).toEqual(['PLAYING', 'PLAYING', 'PLAYING', 'PLAYING', 'NOT_OFFERED']);
    await page.session.stop();
    expect(reasons()).toEqual(['PLAYED', 'PAGE', 'TRIGGER', 'COOLDOWN', 'NOT_OFFERED']);
  });

  it('keeps a run active when the visitor leaves the page', async () => {
    const page = visit([tour()]);
    await page.session.begin();
    await page.session.play('first');
    await page.session.dispose();
    expect(page.events.map(({ kind }) => kind)).toEqual(['RUN_STARTED', 'STEP_SEEN']);
  });

  it('tells a stopped tour, a missing element and a failed player apart', async () => {
    let loads = 0;
    const page = visit([missing('absent'), tour({ slug: 'unloaded', tourId: 'unloaded' })], async () => {
      loads += 1;
      if (loads > 1) throw new Error('blocked');
      return page.createRun;
    });
    await page.session.begin();
    await expect.poll(() => page.session.explain('absent')).toBe('NO_ELEMENT');
    await page.session.play('unloaded');
    expect(page.session.explain('unloaded')).toBe('PLAYER_FAILED');
    expect(page.attempts).toEqual([
      { releaseId: 'release of absent', problem: 'ELEMENT_MISSING', stepKey: 'a', at: expect.any(String) },
      { releaseId: 'release', problem: 'PLAYER_FAILED', at: expect.any(String) },
    ]);
    for (const { at } of page.attempts) expect(Date.parse(at) - Date.now()).toBeGreaterThan(CLOCK_OFFSET_MS / 2);
    expect(page.events).toEqual([]);
  });

  it('starts the next tour after one that has shown nothing', async () => {
    const page = visit([missing('absent'), starting('present', {})]);
    await page.session.begin();
    await expect.poll(() => page.shown).toEqual(['present']);
  });

  it('does not report a tour that shows a later step', async () => {
    const page = visit([missing('absent', [absent('a'), step('b')])]);
    await page.session.begin();
    await expect.poll(() => page.shown).toEqual(['b']);
    await page.session.dispose();
    expect(page.attempts).toEqual([]);
    expect(page.events.map(({ kind }) => kind)).toEqual(['RUN_STARTED', 'TARGET_MISSING', 'STEP_SEEN']);
  });

  it.each(['leaves the page', 'navigates in an application'])('reports it when the visitor %s', async way => {
    const page = visit([missing('absent', [absent('a'), step('b', { page: '/cart' })])]);
    await page.session.begin();
    // The player waits for the page of the next step.
    await expect.poll(page.hides).toBe(1);
    expect(page.attempts).toEqual([]);
    if (way === 'leaves the page') window.dispatchEvent(new Event('pagehide'));
    else await page.session.dispose();
    expect(page.attempts).toHaveLength(1);
  });

  it('reports a missing element once an hour, and again after the tour was shown', async () => {
    const attempts = async (steps = [absent('a')]) => {
      const page = visit([missing('absent', steps)]);
      await page.session.begin();
      await expect.poll(() => page.session.explain('absent')).not.toBe(null);
      await page.session.dispose();
      return page.attempts.length;
    };
    expect([await attempts(), await attempts(), await attempts([step('b')]), await attempts()]).toEqual([1, 0, 0, 1]);
  });

  it('reports no attempt for a resumed run, which has shown a step', async () => {
    const page = visit([{ ...missing('absent'), resume: { ...unfinished, stepKey: 'a' } }]);
    await page.session.begin();
    await expect.poll(() => page.session.explain('absent')).toBe('NO_ELEMENT');
    expect(page.attempts).toEqual([]);
  });

  it('loads a failed player again after half a minute, then at longer intervals', async () => {
    vi.useFakeTimers();
    const load = vi.fn(async (): Promise<CreateRun> => {
      throw new Error('blocked');
    });
    const page = visit([starting('one', {})], load);
    await page.session.begin();
    const calls = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return load.mock.calls.length;
    };
    expect([await calls(29_000), await calls(2000), await calls(58_000), await calls(3000)]).toEqual([1, 2, 2, 3]);
    expect(page.attempts).toHaveLength(1);
    load.mockImplementation(async () => page.createRun);
    await vi.advanceTimersByTimeAsync(240_000);
    expect(page.shown).toEqual(['one']);
    vi.useRealTimers();
  });

  it('does not repeat a tour that the page started after a failure', async () => {
    vi.useFakeTimers();
    const load = vi.fn(async () => page.createRun);
    load.mockRejectedValueOnce(new Error('blocked'));
    const page = visit([starting('one', {})], load);
    await page.session.begin();
    await vi.advanceTimersByTimeAsync(100);
    await page.session.play('one');
    page.press('close');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(page.shown).toEqual(['one']);
    expect(page.session.explain('one')).toBe('PLAYED');
    vi.useRealTimers();
  });

  const absent = (key: string) => step(key, { kind: 'SPOTLIGHT', target: { by: 'SELECTOR', value: '#absent' } });
  const missing = (slug: string, steps = [absent('a')]) =>
    tour({ slug, tourId: slug, releaseId: `release of ${slug}`, steps, start: { ...tour().start, trigger: 'AUTO' } });
  const starting = (slug: string, start: Partial<BootedTour['start']>) =>
    tour({ slug, tourId: slug, steps: [step(slug)], start: { ...tour().start, trigger: 'AUTO', ...start } });

  it('starts a tour when the visitor navigates to its page', async () => {
    const page = visit([starting('orders', { page: '/orders' })]);
    await page.session.begin();
    page.goTo('/cart');
    page.goTo('/orders');
    await expect.poll(() => page.shown).toEqual(['orders']);
  });

  it('starts a tour after that of another session which started at the same time', async () => {
    let isBusy = false;
    const page = visit([starting('one', {})], undefined, undefined, () => isBusy);
    page.waitUntilReady.mockImplementationOnce(async () => {
      isBusy = true;
    });
    await page.session.begin();
    await expect.poll(() => page.waitUntilReady).toHaveBeenCalledOnce();
    await page.waitUntilReady.mock.results[0]?.value;
    expect(page.shown).toEqual([]);
    isBusy = false;
    page.session.check();
    await expect.poll(() => page.shown).toEqual(['one']);
  });

  it('starts a tour when the page reports its event', async () => {
    const page = visit([starting('thanks', { trigger: 'EVENT', event: 'paid' })]);
    await page.session.begin();
    dispatchPageEvent('seen');
    dispatchPageEvent('paid');
    await expect.poll(() => page.shown).toEqual(['thanks']);
  });

  it('starts a tour by an event that was reported before the server responded', async () => {
    let answer: () => void = () => undefined;
    const responded = new Promise<void>(resolve => (answer = resolve));
    const page = visit([starting('thanks', { trigger: 'EVENT', event: 'paid' })], undefined, responded);
    const started = page.session.begin();
    dispatchPageEvent('paid');
    answer();
    await started;
    await expect.poll(() => page.shown).toEqual(['thanks']);
  });

  it('reports each goal once, in server time, also if it was reached before the server responded', async () => {
    let answer: () => void = () => undefined;
    const page = visit([], undefined, new Promise(resolve => (answer = resolve)));
    const started = page.session.begin();
    dispatchPageEvent('bought');
    dispatchPageEvent('something else');
    expect(page.goals).toEqual([]);
    answer();
    await started;
    dispatchPageEvent('bought');
    dispatchPageEvent('something else');
    expect(page.goals.map(({ event }) => event)).toEqual(['bought']);
    const ahead = Date.parse(page.goals[0]?.at ?? '') - Date.now();
    expect(ahead).toBeGreaterThan(CLOCK_OFFSET_MS / 2);
    await page.session.dispose();
    const later = visit([]);
    await later.session.begin();
    await later.session.dispose();
    dispatchPageEvent('bought');
    expect(later.goals).toEqual([]);
  });

  it('reports the name of each other event once', async () => {
    const page = visit([]);
    await page.session.begin();
    for (const event of ['searched', 'bought', 'searched', 'bought']) dispatchPageEvent(event);
    expect(page.goals.map(({ event }) => event)).toEqual(['searched', 'bought']);
  });

  it('starts one tour automatically, and then only tours that ignore the cooldown', async () => {
    const page = visit([starting('one', {}), starting('two', {}), starting('three', { ignoreCooldown: true })]);
    await page.session.begin();
    await expect.poll(() => page.shown).toEqual(['one']);
    page.press('next');
    await expect.poll(() => page.shown).toEqual(['one', 'three']);
  });

  it.each(['next', 'close'] as const)(
    'does not start a tour again that ended by %s in this visit, also if it was resumed',
    async command => {
      const again = { ignoreCooldown: true };
      const page = visit([
        { ...starting('one', again), resume: { ...unfinished, stepKey: 'one' } },
        starting('two', again),
      ]);
      await page.session.begin();
      await expect.poll(() => page.shown).toEqual(['one']);
      page.press(command);
      await expect.poll(() => page.shown).toEqual(['one', 'two']);
      page.press(command);
      await expect.poll(() => page.playing.at(-1)).toBeNull();
      await new Promise(resolve => setTimeout(resolve, 20));
      expect(page.shown).toEqual(['one', 'two']);
    },
  );

  const openOverlay = (role: string) => {
    const overlay = document.body.appendChild(document.createElement('div'));
    overlay.innerHTML = `<div role="${role}"></div>`;
    return overlay;
  };

  it.each(['menu', 'dialog', 'alertdialog'])('delays an automatic start while a %s is open', async role => {
    const overlay = openOverlay(role);
    const page = visit([starting('one', {})]);
    await page.session.begin();
    await expect.poll(() => page.waitUntilReady).toHaveBeenCalledOnce();
    // From which it was opened.
    const next = openOverlay('dialog');
    overlay.remove();
    await Promise.resolve();
    expect(page.shown).toEqual([]);
    next.remove();
    await expect.poll(() => page.shown).toEqual(['one']);
  });

  it('starts no tour on a page that the visitor left while a dialog was open', async () => {
    const overlay = openOverlay('dialog');
    const page = visit([starting('orders', { page: '/orders' })]);
    page.goTo('/orders');
    await page.session.begin();
    await expect.poll(() => page.waitUntilReady).toHaveBeenCalledOnce();
    page.goTo('/cart');
    overlay.remove();
    await page.waitUntilReady.mock.results[0]?.value;
    expect(page.shown).toEqual([]);
    page.goTo('/orders');
    await expect.poll(() => page.shown).toEqual(['orders']);
  });
});
