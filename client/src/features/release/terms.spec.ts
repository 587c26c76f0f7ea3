import { describe, expect, it } from 'vitest';
import { t } from '../../shared/i18n/en/release';
import {
  fromLocalInput,
  toLocalInput,
  defaultTerms,
  goalProblem,
  isEmptySchedule,
  previousTerms,
  allocationOf,
  termsInput,
  termsOf,
  formatTerms,
  rollbackChange,
  initialSites,
} from './terms';

const release = {
  rolloutPercent: 50,
  holdoutPercent: 10,
  goal: null,
  startsAt: '2026-03-01T09:30:12.345Z',
  endsAt: null,
};

describe('the terms of a release', () => {
  it('keep times exact to the millisecond if the form does not change them', () => {
    expect(termsInput(termsOf(release), release)).toEqual(release);
    expect(termsInput({ ...termsOf(release), startsAt: '' }, release).startsAt).toBeNull();
    expect(termsInput(defaultTerms)).toEqual({
      rolloutPercent: 100,
      holdoutPercent: 0,
      goal: null,
      startsAt: null,
      endsAt: null,
    });
  });

  it('report what a rollback changes, except for the schedule', () => {
    const everyone = { ...release, rolloutPercent: 100, holdoutPercent: 0 };
    expect(rollbackChange({ ...release, goal: 'order_placed' }, everyone)).toBe(
      'The settings change from “50% of visitors · 10% holdout · Goal: order_placed” to “all visitors”.',
    );
    expect(rollbackChange(release, { ...release, startsAt: null })).toBeNull();
  });

  it('allocate percentages to holdout, rollout and neither', () => {
    const allocation = (rolloutPercent: number, holdoutPercent: number) =>
      allocationOf({ rolloutPercent, holdoutPercent });
    expect(allocation(100, 0)).toEqual({ holdout: 0, seen: 100, waiting: 0 });
    expect(allocation(50, 10)).toEqual({ holdout: 10, seen: 50, waiting: 40 });
    expect(allocation(100, 10)).toEqual({ holdout: 10, seen: 90, waiting: 0 });
    expect(allocation(0, 50)).toEqual({ holdout: 50, seen: 0, waiting: 50 });
    expect(t.terms.ofHundred({ holdout: 10, seen: 50, waiting: 40 })).toBe(
      'Of 100 matching visitors: 50 see the tour, 10 never do (holdout), 40 are outside the rollout.',
    );
    expect(t.terms.ofHundred({ holdout: 0, seen: 100, waiting: 0 })).toBe(
      'Of 100 matching visitors: 100 see the tour.',
    );
  });

  it('convert between instants and local input values', () => {
    expect(fromLocalInput(toLocalInput('2026-07-01T09:30:00.000Z'))).toBe('2026-07-01T09:30:00.000Z');
    expect(toLocalInput(null)).toBe('');
    expect(fromLocalInput('')).toBeNull();
  });

  it('are invalid if they end before they start', () => {
    const now = Date.parse('2026-03-01T09:00:00.000Z');
    const isEmpty = (startsAt: string | null, endsAt: string | null) =>
      isEmptySchedule({ ...defaultTerms, startsAt: toLocalInput(startsAt), endsAt: toLocalInput(endsAt) }, now);
    expect(isEmpty(null, null)).toBe(false);
    expect(isEmpty(null, '2026-03-01T09:01:00.000Z')).toBe(false);
    expect(isEmpty(null, '2026-03-01T09:00:00.000Z')).toBe(true);
    expect(isEmpty('2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000Z')).toBe(true);
    expect(isEmpty('2026-03-02T09:00:00.000Z', '2026-03-02T09:01:00.000Z')).toBe(false);
  });

  it('default to those of the newest open release, or of the newest one without its schedule', () => {
    const releaseOn = (site: string, at: string, rolloutPercent: number) => ({
      ...release,
      rolloutPercent,
      at,
      site: { id: site, name: site },
    });
    expect(previousTerms([])).toBeNull();
    const shop = releaseOn('shop', '2026-03-01T09:30:00.000Z', 50);
    const docs = releaseOn('docs', '2026-02-01T09:30:00.000Z', 50);
    const staging = releaseOn('staging', '2026-02-20T09:30:00.000Z', 100);
    expect(previousTerms([docs, shop, staging])).toEqual({
      before: shop,
      siteIds: ['docs', 'shop'],
      isCurrent: true,
    });
    const scheduled = { ...shop, startsAt: '2026-03-01T10:00:00.000Z', endsAt: '2026-03-02T10:00:00.000Z' };
    expect(previousTerms([docs], [scheduled])?.before).toEqual(docs);
    expect(previousTerms([], [docs, scheduled])).toEqual({
      before: { ...scheduled, startsAt: null, endsAt: null },
      siteIds: ['shop'],
      isCurrent: false,
    });
  });

  it('are formatted without default values', () => {
    expect(formatTerms({ ...release, startsAt: null })).toEqual(['50% of visitors', '10% holdout']);
    expect(formatTerms({ rolloutPercent: 100, holdoutPercent: 0, goal: null, startsAt: null, endsAt: null })).toEqual(
      [],
    );
    expect(formatTerms({ ...release, goal: 'order_placed', startsAt: null })).toContain('Goal: order_placed');
  });

  it('trim and validate the event name of the goal', () => {
    expect(termsInput({ ...defaultTerms, goal: ' order_placed ' }).goal).toBe('order_placed');
    expect(goalProblem({ ...defaultTerms, goal: 'order_placed' })).toBeNull();
    expect(goalProblem(defaultTerms)).toBeNull();
    expect(goalProblem({ ...defaultTerms, goal: 'Order placed!' })).toMatch(/^Must/);
  });
});

it('selects the only site, and prefers sites that are not Waypost’s own', () => {
  const own = { id: 'demo', own: true };
  const shop = { id: 'shop', own: false };
  const blog = { id: 'blog', own: false };
  expect([[], [own], [own, shop], [shop], [own, shop, blog], [own, own]].map(initialSites)).toEqual([
    [],
    ['demo'],
    ['shop'],
    ['shop'],
    [],
    [],
  ]);
});
