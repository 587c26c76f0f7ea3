import { describe, expect, it } from 'vitest';
import type { TourDraft_RevisionFragment } from '../../generated/operations';
import { freshStart } from '../tour/draft';
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
    start: { ...freshStart, when: null },
    theme: null,
    problems: [],
    steps: Object.entries(titles).map(([key, title]) => ({ ...draftStep(key, { title }), branches: [] })),
  };
}

const nobody = { people: 0, inside: 0, reached: 0, quiet: 0, waiting: 0, held: 0, seen: 0, nothing: 0 };

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
  inside: { total: 0, stay: 0, move: 0, finish: 0 },
  before: nobody,
  after: nobody,
  ...change,
});

const play: PendingAction = { kind: 'play', startsAt: null, endActiveRuns: false };
const words = (change?: Partial<Impact>, pendingAction: PendingAction = play) =>
  formatImpact(impact(change), pendingAction, NOW);

describe('what a release changes for whom', () => {
  it('says what plays, what will, and how the steps differ', () => {
    expect(words().plays).toBe('Revision 1 is live there. Revision 2 goes live.');
    expect(words().steps).toEqual(['1 step added: “Pay”.', '1 step removed: “Cart”.', '1 step changed: “Find”.']);
    expect(words({ live: null }).plays).toBe('Not live there now. Revision 2 goes live.');
    expect(words({ revision: revision(1, { a: 'Search', b: 'Cart' }) }).plays).toBe(
      'Revision 1 is live there. It stays live.',
    );
    expect(words({ live: null }).steps).toEqual([]);
    expect(words({ revision: revision(2, { a: 'Search', b: 'Cart' }) }).steps).toEqual(['The steps are unchanged.']);
    expect(words({ revision: revision(2, { b: 'Cart', a: 'Search' }) }).steps).toEqual(['The step order changed.']);
    const same = revision(2, { a: 'Search', b: 'Cart' });
    const start = { ...same.start, ignoreQuietHours: true, delayMs: 500 };
    expect(words({ revision: { ...same, start } }).steps).toEqual([
      'The start rule changed: Delay “0.5 s” instead of “None”; Ignore cooldown “Yes” instead of “No”.',
    ]);
  });

  it('warns that nothing plays until a release that is planned begins', () => {
    const pendingAction: PendingAction = { kind: 'play', startsAt: '2026-01-02T12:00:00.000Z', endActiveRuns: false };
    expect(words({}, pendingAction).plays).toMatch(
      /^Revision 1 is live there\. No visitor will see the tour until .*; then revision 2 goes live\.$/,
    );
    expect(words({}, { ...pendingAction, startsAt: '2026-01-01T11:00:00.000Z' }).plays).toContain(
      'Revision 2 goes live.',
    );
  });

  it('says what becomes of those who are inside', () => {
    expect(words().inside).toBe('No one is in the tour right now.');
    const inside = { total: 4, stay: 2, move: 1, finish: 1 };
    expect(words({ inside }).inside).toBe(
      '4 people are in the tour now: 2 stay on their current step, 1 moves to the first step they haven’t seen, because their step was removed, and 1 has seen every step and moves to the last one.',
    );
    expect(words({ inside }, { ...play, endActiveRuns: true }).inside).toContain('the tour restarts for them');
    expect(words({ inside }, { kind: 'pause' }).inside).toContain('after the pause');
    expect(words({ inside }, { kind: 'end', endActiveRuns: false }).inside).toContain('doesn’t continue on others');
    expect(words({ inside }, { kind: 'end', endActiveRuns: true }).inside).toContain('their runs end');
  });

  it('counts the people on the site before and after, without parts that nobody is in', () => {
    const { audience } = words({
      before: { ...nobody, people: 10, reached: 10 },
      after: { ...nobody, people: 10, reached: 3, quiet: 2, waiting: 4, held: 1 },
    });
    expect(audience).toEqual([
      { part: 'can start the tour', before: 10, after: 3 },
      { part: 'are in the cooldown after another tour', before: 0, after: 2 },
      { part: 'are outside the rollout', before: 0, after: 4 },
      { part: 'are in the holdout and never see it', before: 0, after: 1 },
    ]);
  });
});
