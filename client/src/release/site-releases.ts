/** Sorts a tour's releases by site: what plays there now, and what played before. */
import type { ReleaseRow_ReleaseFragment, SiteCard_SiteFragment } from '../generated/operations';

export interface SiteReleases {
  readonly site: Pick<SiteCard_SiteFragment, 'id' | 'name' | 'own' | 'lastSeenAt'>;
  readonly live: ReleaseRow_ReleaseFragment | null;
  /** Newest first, the live one included. */
  readonly history: readonly ReleaseRow_ReleaseFragment[];
  /** What a rollback would play again; null when nothing played before. */
  readonly previous: ReleaseRow_ReleaseFragment | null;
}

export function releasesBySite(
  sites: readonly SiteReleases['site'][],
  releases: readonly ReleaseRow_ReleaseFragment[],
): SiteReleases[] {
  return sites.map(site => {
    const history = releases.filter(each => each.site.id === site.id);
    const live = history.find(each => each.state === 'LIVE') ?? null;
    return { site, live, history, previous: live ? before(live, history) : null };
  });
}

/** Rollbacks go ever further back: behind a rollback stands what was released before the release it went back to. */
function before(
  live: ReleaseRow_ReleaseFragment,
  history: readonly ReleaseRow_ReleaseFragment[],
): ReleaseRow_ReleaseFragment | null {
  const from = live.rollbackOf?.id ?? live.id;
  const index = history.findIndex(each => each.id === from);
  if (index < 0) return null;
  return history.slice(index + 1).find(each => each.rollbackOf === null) ?? null;
}
