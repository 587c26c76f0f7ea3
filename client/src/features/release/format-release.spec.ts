import { describe, expect, it } from 'vitest';
import { formatReleaseState, type ReleasedTour } from './format-release';

type Release = ReleasedTour['releases'][number];

const release = (state: Release['state'], number: number, endedAt: string | null): Release => ({
  state,
  revision: { id: `r${number}`, number },
  endedAt,
});
const live = (number: number): Release => release('LIVE', number, null);
const ended = (number: number, endedAt = '2026-11-01T00:00:00Z'): Release => release('ENDED', number, endedAt);
const released = { number: 3 };
const draft = { number: 4, state: 'DRAFT' } as const;
const sentence = (hasUnreleasedChanges: boolean, ...releases: Release[]) =>
  formatReleaseState({ draft, hasUnreleasedChanges, released, releases });

describe('the release state of a tour', () => {
  it('reports no changes only if the newest revision is live', () => {
    expect(sentence(false, live(3), ended(2))).toBe('The newest revision is live. The draft has no changes since.');
    expect(sentence(false, live(3), live(3))).toBe('The newest revision is live. The draft has no changes since.');
  });

  it('does not call a revision live before its site is installed', () => {
    expect(formatReleaseState({ draft, hasUnreleasedChanges: false, released, releases: [live(3)] }, true)).toBe(
      'Released. It starts once Waypost is installed on a site of the release. The draft has no changes since.',
    );
  });

  it('reports that a tour was never released, independent of its draft', () => {
    for (const hasUnreleasedChanges of [true, false])
      expect(formatReleaseState({ draft, hasUnreleasedChanges, released: null, releases: [] })).toBe(
        'This tour hasn’t been released yet.',
      );
  });

  it('names the unreleased draft', () => {
    expect(sentence(true, live(3))).toBe('Revision 4 is a draft and hasn’t been released.');
    const inReview = { number: 4, state: 'IN_REVIEW' } as const;
    expect(formatReleaseState({ draft: inReview, hasUnreleasedChanges: true, released, releases: [live(3)] })).toBe(
      'Revision 4 is in review and hasn’t been released.',
    );
  });

  it('reports an older live revision after a rollback', () => {
    expect(sentence(false, live(2), ended(3), ended(2))).toBe(
      'An older revision is live. You can release revision 3 again when you’re ready. The draft has no changes since.',
    );
  });

  it('reports that nothing is live after the last release ended', () => {
    expect(sentence(false, ended(3))).toBe(
      'Not live right now. Revision 3 was live last. The draft has no changes since.',
    );
    expect(sentence(true, ended(3))).toBe(
      'Not live right now. Revision 3 was live last. Revision 4 is a draft and hasn’t been released.',
    );
  });

  it('names the revision that was live last, also after a rollback', () => {
    const [earlier, later] = ['2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z'];
    const sentences =
      'Not live right now. Revision 2 was live last; the newest is revision 3. The draft has no changes since.';
    expect(sentence(false, ended(2, later), ended(3, earlier), ended(2))).toBe(sentences);
    expect(sentence(false, ended(3, earlier), ended(2, later))).toBe(sentences);
    expect(sentence(false, ended(3, later), release('PAUSED', 2, null))).toBe(sentences);
  });

  it('counts the sites if different revisions are live', () => {
    expect(sentence(false, live(2), live(3))).toBe(
      'Revision 3, the newest, is live on 1 of 2 sites. The others have an older revision. The draft has no changes since.',
    );
  });
});
