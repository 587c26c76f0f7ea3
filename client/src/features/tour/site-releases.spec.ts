import { describe, expect, it } from 'vitest';
import type { ReleaseRow_ReleaseFragment } from '../../generated/operations';
import {
  isAdjustment,
  isReplaced,
  isScheduled,
  revisionToReleaseAgain,
  releasesBySite,
  rollbackChoices,
  rollbacksTo,
} from './site-releases';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const shop = { id: 'shop', name: 'Shop', own: false, lastSeenAt: null, lastPage: null };
const docs = { id: 'docs', name: 'Docs', own: false, lastSeenAt: null, lastPage: null };

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

  it('returns the open release and the target of a rollback', () => {
    const third = release('3', 3, 'LIVE');
    const [onShop, onDocs] = releasesBySite([shop, docs], [third, second, first], NOW);
    expect(onShop).toMatchObject({ open: { id: '3' }, previous: { id: '2' } });
    expect(onDocs).toMatchObject({ open: null, previous: null, history: [] });
  });

  it('rolls back further after a rollback instead of undoing it', () => {
    const third = release('3', 3, 'ENDED');
    const back = release('4', 2, 'LIVE', second);
    expect(releasesBySite([shop], [back, third, second, first], NOW)[0]?.previous?.id).toBe('1');
  });

  it('offers each other revision once, also those that a rollback replaced', () => {
    const third = release('3', 3, 'ENDED');
    const again = release('5', 2, 'ENDED', second);
    const back = release('6', 1, 'LIVE', first);
    const choices = rollbackChoices(back, [back, again, third, second, first]);
    expect(choices.map(each => each.id)).toEqual(['5', '3']);
    expect(rollbackChoices(first, [first])).toEqual([]);
  });

  it('rolls back to an earlier rollback, and skips releases of the same revision', () => {
    const back = release('3', 1, 'ENDED', first);
    const again = release('5', 4, 'ENDED');
    expect(releasesBySite([shop], [release('4', 4, 'LIVE'), back, second, first], NOW)[0]?.previous?.id).toBe('3');
    expect(releasesBySite([shop], [release('6', 4, 'LIVE'), again, second, first], NOW)[0]?.previous?.id).toBe('2');
  });

  it('treats a paused release as open and an expired one as ended', () => {
    const paused = release('1', 1, 'PAUSED');
    expect(releasesBySite([shop], [paused], NOW)[0]?.open).toBe(paused);
    const until = (endsAt: string) => releasesBySite([shop], [{ ...release('1', 1, 'LIVE'), endsAt }], NOW)[0]?.open;
    expect(until('2026-01-01T12:00:00.000Z')).toBeNull();
    expect(until('2026-01-01T12:00:00.001Z')).toMatchObject({ id: '1' });
  });

  it('distinguishes an adjustment from a later release of the same revision', () => {
    const before = { ...release('1', 1, 'ENDED'), endedAt: '2026-01-01T09:00:00.000Z' };
    const after = { ...release('2', 1, 'LIVE'), at: '2026-01-01T09:00:00.000Z' };
    expect(isAdjustment(after, [after, before])).toBe(true);
    const later = { ...after, at: '2026-01-01T10:00:00.000Z' };
    expect(isAdjustment(later, [later, before])).toBe(false);
    expect(isAdjustment(before, [after, before])).toBe(false);
  });

  it('finds the rollbacks to a revision without their adjustments', () => {
    const back = { ...release('3', 1, 'ENDED', first), endedAt: '2026-01-01T09:00:00.000Z' };
    const changed = { ...release('4', 1, 'LIVE', first), at: '2026-01-01T09:00:00.000Z' };
    const onDocs = { ...release('5', 1, 'LIVE', first), site: { id: 'docs', name: 'Docs' } };
    const releases = [changed, onDocs, back, second, first];
    expect(rollbacksTo('r1', releases).map(each => each.id)).toEqual(['5', '3']);
    expect(rollbacksTo('r2', releases)).toEqual([]);
  });

  it('has no rollback target for the first release', () => {
    expect(releasesBySite([shop], [release('1', 1, 'LIVE')], NOW)[0]?.previous).toBeNull();
  });

  it('has no rollback target after a rollback to the first release', () => {
    const back = release('3', 1, 'LIVE', first);
    expect(releasesBySite([shop], [back, second, first], NOW)[0]).toMatchObject({ open: { id: '3' }, previous: null });
  });

  it('releases the last revision again while the draft has no changes', () => {
    const revisionNumber = (state: 'DRAFT' | 'IN_REVIEW', hasUnreleasedChanges: boolean) =>
      revisionToReleaseAgain({ draft: { state }, hasUnreleasedChanges, released: { number: 2 } })?.number;
    expect(revisionNumber('DRAFT', false)).toBe(2);
    expect(revisionNumber('DRAFT', true)).toBeUndefined();
    expect(revisionNumber('IN_REVIEW', false)).toBeUndefined();
    expect(
      revisionToReleaseAgain({ draft: { state: 'DRAFT' }, hasUnreleasedChanges: false, released: null }),
    ).toBeNull();
  });

  it('recognizes a scheduled release until its start time', () => {
    expect(isScheduled({ startsAt: null }, NOW)).toBe(false);
    expect(isScheduled({ startsAt: '2026-01-01T12:00:00.000Z' }, NOW)).toBe(false);
    expect(isScheduled({ startsAt: '2026-01-01T12:00:00.001Z' }, NOW)).toBe(true);
  });
});

it('a release is replaced by the next one at the same time, and stopped otherwise', () => {
  const at = (minute: number) => `2026-01-01T10:0${minute}:00.000Z`;
  const first = { at: at(1), endedAt: at(2) };
  const second = { at: at(2), endedAt: at(3) };
  const third = { at: at(4), endedAt: null };
  const history = [third, second, first];
  expect(history.map(each => isReplaced(each, history))).toEqual([false, false, true]);
});
