import { describe, expect, it } from 'vitest';
import type { ReleaseRow_ReleaseFragment } from '../generated/operations';
import { releasesBySite } from './site-releases';

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
    const [onShop, onDocs] = releasesBySite([shop, docs], [third, second, first]);
    expect(onShop).toMatchObject({ live: { id: '3' }, previous: { id: '2' } });
    expect(onDocs).toMatchObject({ live: null, previous: null, history: [] });
  });

  it('goes further back from a rollback, not forward again', () => {
    const third = release('3', 3, 'ENDED');
    const back = release('4', 2, 'LIVE', second);
    expect(releasesBySite([shop], [back, third, second, first])[0]?.previous?.id).toBe('1');
  });

  it('goes back to a rollback from a release after it, and passes over the same revision', () => {
    const back = release('3', 1, 'ENDED', first);
    const again = release('5', 4, 'ENDED');
    expect(releasesBySite([shop], [release('4', 4, 'LIVE'), back, second, first])[0]?.previous?.id).toBe('3');
    expect(releasesBySite([shop], [release('6', 4, 'LIVE'), again, second, first])[0]?.previous?.id).toBe('2');
  });

  it('has nothing to go back to from the first', () => {
    expect(releasesBySite([shop], [release('1', 1, 'LIVE')])[0]?.previous).toBeNull();
  });
});
