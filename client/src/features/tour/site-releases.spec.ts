import { describe, expect, it } from 'vitest';
import type { ReleaseRow_ReleaseFragment } from '../../generated/operations';
import { isAdjustment, isScheduled, revisionToReleaseAgain, releasesBySite, rollbacksTo } from './site-releases';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const shop = { id: 'shop', name: 'Shop', own: false, lastSeenAt: null };
const docs = { id: 'docs', name: 'Docs', own: false, lastSeenAt: null };

function release(
  id: string,
  revision: number,
  state: ReleaseRow_ReleaseFragment['state'],
  rollbackOf?: ReleaseRow_ReleaseFragment,
): ReleaseRow_ReleaseFragment {
  return {
    id,
    state,
    rolloutPercent: 100,
    holdoutPercent: 0,
    goal: null,
    startsAt: null,
    endsAt: null,
    changes: [],
    at: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    note: null,
    by: { id: 'a', name: 'Ada' },
    site: { id: 'shop', name: 'Shop' },
    revision: { id: `r${revision}`, number: revision },
    rollbackOf: rollbackOf
      ? {
          id: rollbackOf.id,
          at: rollbackOf.at,
          revision: { id: rollbackOf.revision.id, number: rollbackOf.revision.number },
        }
      : null,
  };
}

describe('the releases of a tour by site', () => {
  const first = release('1', 1, 'ENDED');
  const second = release('2', 2, 'ENDED');

  it('names what is live and what a rollback would play', () => {
    const third = release('3', 3, 'LIVE');
    const [onShop, onDocs] = releasesBySite([shop, docs], [third, second, first], NOW);
    expect(onShop).toMatchObject({ open: { id: '3' }, previous: { id: '2' } });
    expect(onDocs).toMatchObject({ open: null, previous: null, history: [] });
  });

  it('goes further back from a rollback, not forward again', () => {
    const third = release('3', 3, 'ENDED');
    const back = release('4', 2, 'LIVE', second);
    expect(releasesBySite([shop], [back, third, second, first], NOW)[0]?.previous?.id).toBe('1');
  });

  it('goes back to a rollback from a release after it, and passes over the same revision', () => {
    const back = release('3', 1, 'ENDED', first);
    const again = release('5', 4, 'ENDED');
    expect(releasesBySite([shop], [release('4', 4, 'LIVE'), back, second, first], NOW)[0]?.previous?.id).toBe('3');
    expect(releasesBySite([shop], [release('6', 4, 'LIVE'), again, second, first], NOW)[0]?.previous?.id).toBe('2');
  });

  it('keeps a paused release open, and takes one whose time is over for ended', () => {
    const paused = release('1', 1, 'PAUSED');
    expect(releasesBySite([shop], [paused], NOW)[0]?.open).toBe(paused);
    const until = (endsAt: string) => releasesBySite([shop], [{ ...release('1', 1, 'LIVE'), endsAt }], NOW)[0]?.open;
    expect(until('2026-01-01T12:00:00.000Z')).toBeNull();
    expect(until('2026-01-01T12:00:00.001Z')).toMatchObject({ id: '1' });
  });

  it('tells an adjustment from a release of the same revision after a break', () => {
    const before = { ...release('1', 1, 'ENDED'), endedAt: '2026-01-01T09:00:00.000Z' };
    const after = { ...release('2', 1, 'LIVE'), at: '2026-01-01T09:00:00.000Z' };
    expect(isAdjustment(after, [after, before])).toBe(true);
    const later = { ...after, at: '2026-01-01T10:00:00.000Z' };
    expect(isAdjustment(later, [later, before])).toBe(false);
    expect(isAdjustment(before, [after, before])).toBe(false);
  });

  it('finds the rollbacks to a revision, without what only changed one of them', () => {
    const back = { ...release('3', 1, 'ENDED', first), endedAt: '2026-01-01T09:00:00.000Z' };
    const changed = { ...release('4', 1, 'LIVE', first), at: '2026-01-01T09:00:00.000Z' };
    const onDocs = { ...release('5', 1, 'LIVE', first), site: { id: 'docs', name: 'Docs' } };
    const releases = [changed, onDocs, back, second, first];
    expect(rollbacksTo('r1', releases).map(each => each.id)).toEqual(['5', '3']);
    expect(rollbacksTo('r2', releases)).toEqual([]);
  });

  it('has nothing to go back to from the first', () => {
    expect(releasesBySite([shop], [release('1', 1, 'LIVE')], NOW)[0]?.previous).toBeNull();
  });

  it('has nothing to go back to after a rollback to the first', () => {
    const back = release('3', 1, 'LIVE', first);
    expect(releasesBySite([shop], [back, second, first], NOW)[0]).toMatchObject({ open: { id: '3' }, previous: null });
  });

  it('plays what was released last again while the draft has no changes', () => {
    const revisionNumber = (state: 'DRAFT' | 'IN_REVIEW', hasUnreleasedChanges: boolean) =>
      revisionToReleaseAgain({ draft: { state }, hasUnreleasedChanges, released: { number: 2 } })?.number;
    expect(revisionNumber('DRAFT', false)).toBe(2);
    expect(revisionNumber('DRAFT', true)).toBeUndefined();
    expect(revisionNumber('IN_REVIEW', false)).toBeUndefined();
    expect(
      revisionToReleaseAgain({ draft: { state: 'DRAFT' }, hasUnreleasedChanges: false, released: null }),
    ).toBeNull();
  });

  it('tells a release that waits for its time from one that plays', () => {
    expect(isScheduled({ startsAt: null }, NOW)).toBe(false);
    expect(isScheduled({ startsAt: '2026-01-01T12:00:00.000Z' }, NOW)).toBe(false);
    expect(isScheduled({ startsAt: '2026-01-01T12:00:00.001Z' }, NOW)).toBe(true);
  });
});
