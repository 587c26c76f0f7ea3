import { expect, it } from 'vitest';
import { t } from '../../shared/i18n/en/tour';
import { liveRevisions, supersededBy } from './live-numbers';
import { formatOlderLive, isStillLive, formatDraftState, type SiteRelease } from './live-revision';

const release = (number: number, site: string, state: SiteRelease['state'] = 'LIVE'): SiteRelease => ({
  id: `${site} ${number}`,
  state,
  site: { id: site, name: site },
  revision: { id: `r${number}`, number },
});

const draft = { state: 'DRAFT', reviews: [] } as const;

it('names the live revision after a rollback', () => {
  const releases = [release(1, 'Shop'), release(2, 'Shop', 'ENDED'), release(1, 'Shop', 'ENDED')];
  expect(formatDraftState({ draft, hasUnreleasedChanges: false, released: { number: 2 } }, 'ada')).toBe(
    'No changes since revision 2 was released.',
  );
  expect(formatOlderLive({ number: 2 }, releases)).toEqual(['Revision 1 is live on Shop, not revision 2.']);
});

it('groups sites by their older live revision', () => {
  const releases = [release(3, 'Shop'), release(1, 'Docs'), release(2, 'Blog'), release(1, 'Help')];
  expect(formatOlderLive({ number: 3 }, releases)).toEqual([
    'Revision 1 is live on Docs and Help, not revision 3.',
    'Revision 2 is live on Blog, not revision 3.',
  ]);
});

it('reports nothing if the newest revision is live or no release is live', () => {
  expect(formatOlderLive({ number: 2 }, [release(2, 'Shop'), release(1, 'Shop', 'ENDED')])).toEqual([]);
  expect(formatOlderLive({ number: 2 }, [release(2, 'Shop', 'ENDED'), release(1, 'Docs', 'PAUSED')])).toEqual([]);
  expect(formatOlderLive(null, [])).toEqual([]);
});

it('lists live or paused revisions unless they all match the draft', () => {
  const numbers = (hasUnreleasedChanges: boolean, ...open: SiteRelease[]) =>
    liveRevisions({ status: 'LIVE', hasUnreleasedChanges, released: { number: 2 }, open });
  expect(numbers(false, release(1, 'Shop'))).toEqual([1]);
  expect(numbers(false, release(2, 'Shop'), release(1, 'Docs'))).toEqual([1, 2]);
  expect(numbers(false, release(2, 'Shop'), release(2, 'Docs'))).toEqual([]);
  expect(numbers(true, release(2, 'Shop'), release(2, 'Docs'), release(1, 'Help', 'PAUSED'))).toEqual([2]);
  const paused = [release(1, 'Shop', 'PAUSED')];
  expect(
    liveRevisions({ status: 'PAUSED', hasUnreleasedChanges: false, released: { number: 2 }, open: paused }),
  ).toEqual([1]);
  expect(t.status.revisions.LIVE([2], supersededBy([2], { number: 2 }))).toBe('Live: revision 2');
  expect(t.status.revisions.LIVE([1], supersededBy([1], { number: 2 }))).toBe('Live: revision 1 (newest: 2)');
  expect(t.status.revisions.PAUSED([1, 2], supersededBy([1, 2], { number: 2 }))).toBe('Paused: revisions 1 and 2');
});

it('describes a tour that was never released as being written', () => {
  expect(formatDraftState({ draft, hasUnreleasedChanges: false, released: null }, 'ada')).toContain(
    'Draft. Request a review',
  );
});

it('does not ask the reviewer who requested changes to make them', () => {
  const ben = { id: 'ben' };
  const reviews = [{ id: '1', state: 'RETURNED', by: { id: 'ada' }, endedBy: ben }] as const;
  const tour = { draft: { state: 'DRAFT', reviews }, hasUnreleasedChanges: true, released: null } as const;
  expect(formatDraftState(tour, 'ada')).toContain('and request a review again.');
  expect(formatDraftState(tour, ben.id)).toBe(
    'You requested changes. The author can now edit the draft and request a review again.',
  );
});

it('treats a rollback as live until another revision replaces it, also after an adjustment', () => {
  const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
  const rollback = { ...release(1, 'Shop', 'ENDED'), at: at(2), endedAt: at(3) };
  const adjusted = { ...release(1, 'Shop'), at: at(3), endedAt: null };
  const newer = { ...release(2, 'Shop'), at: at(3), endedAt: null };
  expect(isStillLive(adjusted, [adjusted])).toBe(true);
  expect(isStillLive(rollback, [adjusted, rollback])).toBe(true);
  expect(isStillLive(rollback, [newer, rollback])).toBe(false);
});
