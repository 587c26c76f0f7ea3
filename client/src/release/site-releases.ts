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

/**
 * The server's own choice (server/waypost-app/src/release): a rollback stands for the release that it went back to, so a
 * second one goes further back instead of returning; a release of the same revision is no change and is passed over.
 */
function before(
  live: ReleaseRow_ReleaseFragment,
  history: readonly ReleaseRow_ReleaseFragment[],
): ReleaseRow_ReleaseFragment | null {
  let place = history.indexOf(live);
  for (;;) {
    const origin = history.findIndex(each => each.id === history[place]?.rollbackOf?.id);
    if (origin <= place) break;
    place = origin;
  }
  return history.slice(place + 1).find(each => each.revision.id !== live.revision.id) ?? null;
}
