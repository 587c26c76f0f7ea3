import { describe, expect, it } from 'vitest';
import { liftCsv } from './export-csv';
import { axisEnd, findingOf, formatLift, type ReleaseLift } from './lift';

const group = (visitors: number, reached: number) => ({
  visitors,
  reached,
  rate: visitors > 0 ? reached / visitors : null,
});

const lift = (low: number, high: number, rest: Partial<ReleaseLift> = {}): ReleaseLift => ({
  release: {
    id: 'r',
    state: 'LIVE',
    goal: 'order_placed',
    holdoutPercent: 10,
    at: '2026-11-05T09:30:00Z',
    endedAt: null,
    site: { id: 's', name: 'Shop' },
    rollbackOf: null,
    revision: { id: 'v', number: 3 },
  },
  offered: group(900, 90),
  holdout: group(100, 8),
  lift: { difference: (low + high) / 2, low, high, relative: 0.25 },
  ...rest,
});

describe('lift', () => {
  it('is a difference only if the interval excludes zero', () => {
    expect(formatLift(lift(0.01, 0.034))).toBe('More visitors reach “order_placed”: +1 to +3.4 percentage points.');
    expect(findingOf(lift(-0.04, -0.01))).toBe('fewer');
    expect(formatLift(lift(-0.02, 0.06))).toBe('No clear effect on “order_placed” yet: -2 to +6 percentage points.');
    expect([findingOf(lift(0, 0.1)), findingOf(lift(-0.1, 0))]).toEqual(['unclear', 'unclear']);
  });

  it('is missing without enough visitors or a holdout', () => {
    const few = lift(0, 0, { offered: group(20, 2), holdout: group(3, 0), lift: null });
    expect(formatLift(few)).toBe('Not enough data yet: 20 visitors were offered the tour, and 3 are in the holdout.');
    const all = { ...few, release: { ...few.release, holdoutPercent: 0 } };
    expect(findingOf(all)).toBe('tooFew');
    expect(findingOf({ ...all, holdout: group(0, 0) })).toBe('noHoldout');
  });

  it('has an axis that contains every interval', () => {
    expect(axisEnd([])).toBe(0.01);
    expect(axisEnd([lift(-0.12, 0.03), lift(0.01, 0.02)])).toBe(0.2);
    expect(axisEnd([lift(-0.9, 0.3)])).toBe(1);
  });

  it('is exported as CSV', () => {
    const [header, row] = liftCsv([lift(0.01, 0.03)]).split('\r\n');
    expect(header).toContain(
      'goal,holdout_percent,offered,offered_reached,holdout,holdout_reached,difference,low,high',
    );
    expect(row).toBe('Shop,3,2026-11-05T09:30:00Z,,order_placed,10,900,90,100,8,0.02,0.01,0.03,0.25');
    const [, third] = liftCsv([
      lift(-1 / 3, 0.00001, { lift: { difference: 1 / 3, low: -1 / 3, high: 0.00001, relative: 2 / 3 } }),
    ]).split('\r\n');
    expect(third).toMatch(/,0\.333333,-0\.333333,0\.00001,0\.6667$/);
  });
});
