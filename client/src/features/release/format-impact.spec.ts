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
    problems: [],
    steps: Object.entries(titles).map(([key, title]) => ({ ...draftStep(key, { title }), branches: [] })),
  };
}

const noVisitors = { people: 0, inside: 0, reached: 0, quiet: 0, waiting: 0, held: 0, seen: 0, nothing: 0 };

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
  before: noVisitors,
  after: noVisitors,
  ...change,
});

const releaseAction: PendingAction = { kind: 'release', startsAt: null, endActiveRuns: false };
const format = (change?: Partial<Impact>, pendingAction: PendingAction = releaseAction) =>
  formatImpact(impact(change), pendingAction, NOW);

describe('the impact of a release', () => {
  it('names the live and the next revision, and how their steps differ', () => {
    expect(format().liveRevision).toBe('Revision 1 plays there now. Revision 2 will play.');
    expect(format().steps).toEqual([
      '1 step is new: “Pay”.',
      '1 step is gone: “Cart”.',
      '1 step is different: “Find”.',
    ]);
    expect(format({ live: null }).liveRevision).toBe('This tour does not play there now. Revision 2 will play.');
    expect(format({ revision: revision(1, { a: 'Search', b: 'Cart' }) }).liveRevision).toBe(
      'Revision 1 plays there now. It goes on playing.',
    );
    expect(format({ live: null }).steps).toEqual([]);
    expect(format({ revision: revision(2, { a: 'Search', b: 'Cart' }) }).steps).toEqual(['The steps are the same.']);
    expect(format({ revision: revision(2, { b: 'Cart', a: 'Search' }) }).steps).toEqual([
      'The steps come in another order.',
    ]);
    const same = revision(2, { a: 'Search', b: 'Cart' });
    const start = { ...same.start, ignoreQuietHours: true, delayMs: 500 };
    expect(format({ revision: { ...same, start } }).steps).toEqual([
      'It starts by another rule: Delay “0.5 s” instead of “None”; Within the quiet hours “Yes” instead of “No”.',
    ]);
  });

  it('warns that nothing is live until a scheduled release starts', () => {
    const pendingAction: PendingAction = {
      kind: 'release',
      startsAt: '2026-01-02T12:00:00.000Z',
      endActiveRuns: false,
    };
    expect(format({}, pendingAction).liveRevision).toMatch(
      /^Revision 1 plays there now\. Nothing will play until .*; then revision 2\.$/,
    );
    expect(format({}, { ...pendingAction, startsAt: '2026-01-01T11:00:00.000Z' }).liveRevision).toContain(
      'Revision 2 will play.',
    );
  });

  it('describes the effect on active runs', () => {
    expect(format().activeRuns).toBe('Nobody is inside the tour at the moment.');
    const inside = { total: 4, stay: 2, move: 1, finish: 1 };
    expect(format({ inside }).activeRuns).toBe(
      '4 people are inside the tour now: 2 go on at the step they are at, 1 goes on at the first step they have not seen, because theirs is gone, and 1 has seen everything and comes to the last step.',
    );
    expect(format({ inside }, { ...releaseAction, endActiveRuns: true }).activeRuns).toContain('they begin again');
    expect(format({ inside }, { kind: 'pause' }).activeRuns).toContain('after the pause');
    expect(format({ inside }, { kind: 'end', endActiveRuns: false }).activeRuns).toContain('does not go on');
    expect(format({ inside }, { kind: 'end', endActiveRuns: true }).activeRuns).toContain('their runs end');
  });

  it('counts the visitors before and after, without empty states', () => {
    const { audience } = format({
      before: { ...noVisitors, people: 10, reached: 10 },
      after: { ...noVisitors, people: 10, reached: 3, quiet: 2, waiting: 4, held: 1 },
    });
    expect(audience).toEqual([
      { part: 'may begin the tour', before: 10, after: 3 },
      { part: 'wait for the end of the quiet hours after another tour', before: 0, after: 2 },
      { part: 'wait for a larger rollout', before: 0, after: 4 },
      { part: 'are held out and never meet it', before: 0, after: 1 },
    ]);
  });
});
