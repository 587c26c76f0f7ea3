import { describe, expect, it } from 'vitest';
import type { TourDraft_RevisionFragment } from '../../generated/operations';
import { defaultStart } from '../tour/draft';
import { draftStep } from '../tour/fixtures';
import { formatImpact, type PendingAction, type Impact } from './format-impact';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');

function revision(number: number, titles: Readonly<Record<string, string>>): TourDraft_RevisionFragment {
  return {
    id: `r${number}`,
    number,
    state: 'FROZEN',
    version: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    author: { id: 'a', name: 'Ada' },
    start: { ...defaultStart, when: null },
    theme: null,
    locales: ['en'],
    problems: [],
    steps: Object.entries(titles).map(([key, title]) => ({
      ...draftStep(key, { title }),
      branches: [],
      translations: [],
    })),
  };
}

const noVisitors = { visitors: 0, active: 0, reached: 0, coolingDown: 0, waiting: 0, holdout: 0, seen: 0, nothing: 0 };

const impact = (change: Partial<Impact> = {}): Impact => ({
  site: { id: 's', name: 'Shop' },
  live: {
    id: 'l',
    state: 'LIVE',
    rolloutPercent: 100,
    holdoutPercent: 0,
    startsAt: null,
    revision: revision(1, { a: 'Search', b: 'Cart' }),
  },
  revision: revision(2, { a: 'Find', c: 'Pay' }),
  active: { total: 0, stay: 0, move: 0, finish: 0 },
  before: noVisitors,
  after: noVisitors,
  ...change,
});

const releaseAction: PendingAction = { kind: 'release', startsAt: null, endActiveRuns: false };
const format = (change?: Partial<Impact>, pendingAction: PendingAction = releaseAction) =>
  formatImpact(impact(change), pendingAction, NOW);

describe('the impact of a release', () => {
  it('names the live and the next revision, and how their steps differ', () => {
    expect(format().liveRevision).toBe('Revision 1 is live there. Revision 2 goes live.');
    expect(format().steps).toEqual(['1 step added: “Pay”.', '1 step removed: “Cart”.', '1 step changed: “Find”.']);
    expect(format({ live: null }).liveRevision).toBe('Not live there now. Revision 2 goes live.');
    expect(format({ revision: revision(1, { a: 'Search', b: 'Cart' }) }).liveRevision).toBe(
      'Revision 1 is live there. It stays live.',
    );
    expect(format({ live: null }).steps).toEqual([]);
    expect(format({ revision: revision(2, { a: 'Search', b: 'Cart' }) }).steps).toEqual(['The steps are unchanged.']);
    expect(format({ revision: revision(2, { b: 'Cart', a: 'Search' }) }).steps).toEqual(['The step order changed.']);
    const same = revision(2, { a: 'Search', b: 'Cart' });
    const start = { ...same.start, ignoreCooldown: true, delayMs: 500 };
    expect(format({ revision: { ...same, start } }).steps).toEqual([
      'The start rule changed: Delay “0.5 s” instead of “None”; Ignore cooldown “Yes” instead of “No”.',
    ]);
  });

  it('warns that nothing is live until a scheduled release starts', () => {
    const pendingAction: PendingAction = {
      kind: 'release',
      startsAt: '2026-01-02T12:00:00.000Z',
      endActiveRuns: false,
    };
    expect(format({}, pendingAction).liveRevision).toMatch(
      /^Revision 1 is live there\. No visitor will see the tour until .*; then revision 2 goes live\.$/,
    );
    expect(format({}, { ...pendingAction, startsAt: '2026-01-01T11:00:00.000Z' }).liveRevision).toContain(
      'Revision 2 goes live.',
    );
  });

  it('describes the effect on active runs', () => {
    expect(format().activeRuns).toBe('No one is in the tour right now.');
    const active = { total: 4, stay: 2, move: 1, finish: 1 };
    expect(format({ active }).activeRuns).toBe(
      '4 visitors are in the tour now: 2 stay on their current step, 1 moves to the first step they haven’t seen, because their step was removed, and 1 has seen every step and moves to the last one.',
    );
    expect(format({ active }, { ...releaseAction, endActiveRuns: true }).activeRuns).toContain(
      'the tour restarts for them',
    );
    expect(format({ active }, { kind: 'pause' }).activeRuns).toContain('after the pause');
    expect(format({ active }, { kind: 'end', endActiveRuns: false }).activeRuns).toContain(
      'doesn’t continue on others',
    );
    expect(format({ active }, { kind: 'end', endActiveRuns: true }).activeRuns).toContain('their runs end');
  });

  it('counts the visitors before and after, without empty states', () => {
    const { audience } = format({
      before: { ...noVisitors, visitors: 10, reached: 10 },
      after: { ...noVisitors, visitors: 10, reached: 3, coolingDown: 2, waiting: 4, holdout: 1 },
    });
    expect(audience).toEqual([
      { part: 'can start the tour', before: 10, after: 3 },
      { part: 'are in the cooldown after another tour', before: 0, after: 2 },
      { part: 'are outside the rollout', before: 0, after: 4 },
      { part: 'are in the holdout and never see it', before: 0, after: 1 },
    ]);
  });
});
