import { describe, expect, it } from 'vitest';
import { funnelOf } from './funnel';
import { funnelWords } from './funnel-words';

const step = (stepKey: string, seen: number, done: number) => ({
  stepKey,
  title: stepKey.toUpperCase(),
  seen,
  done,
  missing: 0,
  underWay: 0,
  medianMs: 28_160,
  dropOff: seen === 0 ? null : 1 - done / seen,
});

const revision = (number: number, started: number) => ({
  revisionId: `revision-${number}`,
  number,
  started,
  completed: 0,
  dismissed: 0,
  failed: 0,
  completionRate: null,
});

/** What is said of a tour of two steps where so many are under way and everybody else who did not complete it closed it. */
function said({ underWay = 0, seen = 20, revisions = [revision(1, 20)] }) {
  const ends = { completed: 5, dismissed: 15 - underWay, abandoned: 0, failed: 0, superseded: 0 };
  const steps = [step('a', 20, seen), step('b', seen, 5)];
  return funnelWords(funnelOf({ started: 20, ...ends, steps }), { superseded: 0, byRevision: revisions });
}

describe('the words of the funnel', () => {
  it('say how many are still under way', () => {
    expect(said({})).toBe('Most visitors drop off at “B”.');
    expect(said({ underWay: 1 })).toMatch(/ 1 run is still active and isn’t counted as drop-off\.$/);
    expect(said({ underWay: 15 })).toMatch(/isn’t enough data yet .*\. 15 runs are still active/);
  });

  it('say whose titles these are where runs of several revisions are counted', () => {
    const titles = /Step titles are from the newest revision\. Earlier revisions may have used different titles\.$/;
    expect(said({ revisions: [revision(2, 8), revision(1, 12)] })).toMatch(titles);
    expect(said({ revisions: [revision(2, 0), revision(1, 20)] })).not.toMatch(titles);
  });
});
