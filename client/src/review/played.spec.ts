import { expect, it } from 'vitest';
import { t } from '../texts/tour';
import { olderPlaying, otherLive, playsStill, writingSentence, type Played } from './played';

const release = (number: number, site: string, state: Played['state'] = 'LIVE'): Played => ({
  id: `${site} ${number}`,
  state,
  site: { id: site, name: site },
  revision: { id: `r${number}`, number },
});

const draft = { state: 'DRAFT', reviews: [] } as const;

it('after a rollback the revision that plays is named', () => {
  const releases = [release(1, 'Shop'), release(2, 'Shop', 'ENDED'), release(1, 'Shop', 'ENDED')];
  expect(writingSentence({ draft, hasUnreleasedChanges: false }, releases)).toBe(
    'Nothing has changed since revision 2 was released.',
  );
  expect(olderPlaying(releases)).toEqual(['Revision 1 plays on Shop, not revision 2.']);
});

it('sites with the same older revision are named together', () => {
  const releases = [release(3, 'Shop'), release(1, 'Docs'), release(2, 'Blog'), release(1, 'Help')];
  expect(olderPlaying(releases)).toEqual([
    'Revision 1 plays on Docs and Help, not revision 3.',
    'Revision 2 plays on Blog, not revision 3.',
  ]);
});

it('where the newest plays, or nothing does, there is nothing to say', () => {
  expect(olderPlaying([release(2, 'Shop'), release(1, 'Shop', 'ENDED')])).toEqual([]);
  expect(olderPlaying([release(2, 'Shop', 'ENDED'), release(1, 'Docs', 'PAUSED')])).toEqual([]);
  expect(olderPlaying([])).toEqual([]);
});

it('the revisions that play are named unless they are what is written now', () => {
  const rolledBack = [release(1, 'Shop'), release(2, 'Shop', 'ENDED'), release(1, 'Shop', 'ENDED')];
  expect(otherLive(false, rolledBack)).toEqual([1]);
  expect(otherLive(false, [release(2, 'Shop'), release(1, 'Docs')])).toEqual([1, 2]);
  expect(otherLive(false, [release(2, 'Shop'), release(2, 'Docs')])).toEqual([]);
  expect(otherLive(true, [release(2, 'Shop'), release(2, 'Docs'), release(1, 'Help', 'PAUSED')])).toEqual([2]);
  expect(t.status.live([2])).toBe('Revision 2 is live');
  expect(t.status.live([1, 2])).toBe('Revisions 1 and 2 are live');
});

it('an empty tour that was never released is being written', () => {
  expect(writingSentence({ draft, hasUnreleasedChanges: false }, [])).toContain('It is being written.');
});

it('a rollback plays until something else does, also where it was adjusted', () => {
  const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
  const rollback = { ...release(1, 'Shop', 'ENDED'), at: at(2), endedAt: at(3) };
  const adjusted = { ...release(1, 'Shop'), at: at(3), endedAt: null };
  const newer = { ...release(2, 'Shop'), at: at(3), endedAt: null };
  expect(playsStill(adjusted, [adjusted])).toBe(true);
  expect(playsStill(rollback, [adjusted, rollback])).toBe(true);
  expect(playsStill(rollback, [newer, rollback])).toBe(false);
});
