import { describe, expect, it } from 'vitest';
import { daysIn, lastDays, rangeProblem } from './day-range';
import { axisTop, barOf, funnelOf, shareOf, formatFunnel } from './funnel';

const step = (stepKey: string, seen: number, done: number, active = 0) => ({
  stepKey,
  title: stepKey.toUpperCase(),
  seen,
  done,
  missing: 0,
  attempts: 0,
  active,
  medianMs: 1500,
  dropOff: seen === 0 ? null : (seen - done - active) / seen,
});

const counts = (started: number, completed: number, steps: ReturnType<typeof step>[], active = 0) => ({
  started,
  completed,
  completedWithGaps: 0,
  dismissed: started - completed - active,
  stopped: 0,
  abandoned: 0,
  failed: 0,
  superseded: 0,
  active,
  steps,
});

describe('the funnel', () => {
  it('computes the share of each step from the started runs', () => {
    const funnel = funnelOf(counts(200, 50, [step('a', 200, 150), step('b', 150, 50)]));
    expect(funnel.steps.map(each => each.share)).toEqual([1, 0.75]);
    expect(funnel.steps[1]?.dropOff).toBeCloseTo(2 / 3);
  });

  it('finds the step with the most drop-offs, not the highest rate', () => {
    const funnel = funnelOf(counts(100, 2, [step('a', 100, 60), step('b', 60, 4), step('c', 4, 0)]));
    expect(funnel.largestDropOff?.key).toBe('b');
  });

  it('prefers the higher rate if drop-offs are equal, and none if the rates are equal, too', () => {
    const of = (...steps: ReturnType<typeof step>[]) => {
      const funnel = funnelOf(counts(100, 60, steps));
      return [funnel.largestDropOff?.key, funnel.isEven];
    };
    expect(of(step('a', 10, 8), step('b', 8, 6))).toEqual(['b', false]);
    expect(of(step('a', 100, 90), step('b', 90, 81), step('c', 81, 73))).toEqual([undefined, true]);
    // A branch that few visitors take.
    expect(of(step('a', 100, 90), step('b', 10, 9))).toEqual(['a', false]);
    const even = counts(100, 73, [step('a', 100, 90), step('b', 90, 81), step('c', 81, 73)]);
    expect(formatFunnel(funnelOf(even), { superseded: 0, byRevision: [] })).toBe(
      'Several steps lose about the same share of visitors.',
    );
  });

  it('is branched if a later step was seen more often', () => {
    const branchedOf = (...steps: ReturnType<typeof step>[]) => funnelOf(counts(10, 6, steps)).branched;
    expect(branchedOf(step('a', 10, 9), step('b', 4, 4), step('c', 5, 5))).toBe(true);
    expect(branchedOf(step('a', 10, 9), step('b', 9, 9), step('c', 9, 6))).toBe(false);
  });

  it('has no largest drop-off without drop-offs, and no share without runs', () => {
    expect(funnelOf(counts(12, 12, [step('a', 12, 12)]))).toMatchObject({ largestDropOff: null, hasNoDropOff: true });
    const empty = funnelOf(counts(0, 0, [step('a', 0, 0)]));
    expect(empty.steps[0]).toMatchObject({ share: 0, dropOff: null });
  });

  it('finds the largest gap between two steps unless it is branched', () => {
    const of = (...steps: ReturnType<typeof step>[]) => funnelOf(counts(10, 6, steps));
    const { gap, hasNoDropOff } = of(step('a', 10, 10), step('b', 9, 9), step('c', 6, 6));
    expect([gap?.runs, gap?.from.key, gap?.to.key, hasNoDropOff]).toEqual([3, 'b', 'c', false]);
    expect(of(step('a', 10, 10), step('b', 4, 4), step('c', 10, 10))).toMatchObject({ gap: null, branched: true });
    expect(of(step('a', 10, 9), step('b', 9, 9)).gap).toBeNull();
  });

  it('never reports no drop-off if a run was closed between two steps or without completing the tour', () => {
    const missing = (seen: number, done: number) => ({ ...step('b', seen, done), missing: 2 });
    const funnel = funnelOf(counts(2, 0, [step('a', 2, 2), missing(0, 0), step('c', 1, 1)], 1));
    expect(funnel).toMatchObject({ hasNoDropOff: false, leftBetween: 1, branched: false, gap: null });
    expect(formatFunnel(funnel, { superseded: 0, byRevision: [] })).toBe(
      'There isn’t enough data yet to show where most visitors drop off. 1 run is still active and isn’t counted as ' +
        'drop-off. 1 run ended between two steps. The element of “B” was missing in 2 runs. Check its target.',
    );
  });

  it('does not count a run in a gap twice', () => {
    expect(funnelOf(counts(10, 8, [step('a', 10, 10), step('b', 8, 8)]))).toMatchObject({ leftBetween: 0 });
  });

  it('has no largest drop-off before enough runs have ended', () => {
    const few = funnelOf(counts(2, 0, [step('a', 2, 1), step('b', 1, 0)], 1));
    expect(few).toMatchObject({ largestDropOff: null, hasNoDropOff: false, active: 1 });
    const largestDropOffOf = (started: number) =>
      funnelOf(counts(started, 5, [step('a', started, 5)])).largestDropOff?.key;
    expect([largestDropOffOf(9), largestDropOffOf(10)]).toEqual([undefined, 'a']);
  });

  it('does not count active runs as drop-offs', () => {
    const steps = [step('a', 30, 22, 6), step('b', 22, 18, 1)];
    expect(funnelOf(counts(30, 18, steps, 7))).toMatchObject({
      largestDropOff: { key: 'b' },
      active: 7,
      hasNoDropOff: false,
    });
    expect(funnelOf(counts(23, 20, [step('a', 23, 20, 3)], 3))).toMatchObject({
      largestDropOff: null,
      hasNoDropOff: true,
    });
  });

  it('never draws a step wider than the first one', () => {
    expect(shareOf(12, 10)).toBe(1);
  });

  it('stays a funnel where elements are missing', () => {
    const widths = [
      { seen: 10, missing: 0 },
      { seen: 2, missing: 6 },
      { seen: 7, missing: 0 },
    ].map(step => barOf(step, 10));
    expect(widths.map(({ seen, missing }) => seen + missing)).toEqual([1, 0.8, 0.7]);
    expect(barOf({ seen: 8, missing: 9 }, 10).missing).toBeCloseTo(0.2);
  });

  it('names all steps with missing elements, the most missing first', () => {
    const missing = (key: string, runs: number) => ({ ...step(key, 20 - runs, 20 - runs), missing: runs });
    const of = (...steps: ReturnType<typeof step>[]) =>
      formatFunnel(funnelOf(counts(20, 20, steps)), { superseded: 0, byRevision: [] });
    expect(of(step('a', 20, 20), missing('b', 1), missing('c', 5))).toBe(
      'No drop-off between steps. Elements were missing at “C” (5 runs) and “B” (1 run). Check their targets.',
    );
    const many = ['b', 'c', 'd', 'e', 'f', 'g'].map((key, index) => missing(key, 9 - index));
    expect(of(step('a', 20, 20), ...many)).toContain(
      'at “B” (9 runs), “C” (8 runs), “D” (7 runs), “E” (6 runs), and 2 other steps.',
    );
  });
});

describe('the axis of the chart by day', () => {
  it('ends at a round number above all bars', () => {
    expect([0, 3, 5, 17, 42, 100, 101].map(axisTop)).toEqual([4, 4, 5, 20, 50, 100, 200]);
  });
});

describe('a range of days', () => {
  it('includes both ends', () => {
    const range = lastDays(7, Date.parse('2026-03-01T12:00:00Z'));
    expect(range).toEqual({ from: '2026-02-23', to: '2026-03-01' });
    expect(daysIn(range)).toBe(7);
  });

  it('is rejected with a message if it is invalid', () => {
    expect(rangeProblem({ from: '2026-01-02', to: '2026-01-01' })).toMatch(/must not be after/);
    expect(rangeProblem({ from: '2024-01-01', to: '2026-01-01' })).toMatch(/at most 366 days/);
    expect(rangeProblem({ from: '', to: '2026-01-01' })).toMatch(/Choose a start and an end date/);
    expect(rangeProblem({ from: '2026-01-01', to: '2026-01-01' })).toBeNull();
  });
});

const revision = (number: number, started: number) => ({
  revisionId: `revision-${number}`,
  number,
  started,
  completed: 0,
  completedWithGaps: 0,
  dismissed: 0,
  stopped: 0,
  abandoned: 0,
  failed: 0,
  superseded: 0,
  active: 0,
  completionRate: null,
});

function format({ active = 0, seen = 20, completedWithGaps = 0, stopped = 0, revisions = [revision(1, 20)] }) {
  const steps = [step('a', 20, seen), step('b', seen, 5)];
  const counted = { ...counts(20, 5, steps, active), completedWithGaps, dismissed: 15 - active - stopped, stopped };
  return formatFunnel(funnelOf(counted), { superseded: 0, byRevision: revisions });
}

describe('the description of the funnel', () => {
  it('contains the number of active runs', () => {
    expect(format({})).toBe('Most visitors drop off at “B”.');
    expect(format({ active: 1 })).toMatch(/ 1 run is still active and isn’t counted as drop-off\.$/);
    expect(format({ active: 15 })).toMatch(/isn’t enough data yet .*\. 15 runs are still active/);
  });

  it('contains the number of completed runs with gaps', () => {
    expect(format({ completedWithGaps: 2 })).toMatch(
      /Completed runs with gaps, because an element was missing: 2 of 5\./,
    );
  });

  it('counts runs that the page stopped as drop-offs', () => {
    expect(format({ stopped: 15 })).toBe(format({}));
  });

  it('explains the titles if it covers several revisions', () => {
    const titles = /Step titles are from the newest revision\. Earlier revisions may have used different titles\.$/;
    expect(format({ revisions: [revision(2, 8), revision(1, 12)] })).toMatch(titles);
    expect(format({ revisions: [revision(2, 0), revision(1, 20)] })).not.toMatch(titles);
  });
});
