/** Sorts a tour's releases by site: what is there now, and what was there before. */
import type { ReleaseRow_ReleaseFragment, RevisionState, SiteCard_SiteFragment } from '../../generated/operations';

export interface SiteReleases {
  readonly site: Pick<SiteCard_SiteFragment, 'id' | 'name' | 'own' | 'lastSeenAt'>;
  /** What plays there, is paused there or waits for its time. */
  readonly open: ReleaseRow_ReleaseFragment | null;
  /** Newest first, the open one included. */
  readonly history: readonly ReleaseRow_ReleaseFragment[];
  /** What a rollback would play again; null when nothing played before. */
  readonly previous: ReleaseRow_ReleaseFragment | null;
}

export function releasesBySite(
  sites: readonly SiteReleases['site'][],
  releases: readonly ReleaseRow_ReleaseFragment[],
  now: number,
): SiteReleases[] {
  return sites.map(site => {
    const history = releases.filter(each => each.site.id === site.id);
    const open = history.find(each => each.state !== 'ENDED' && !isExpired(each, now)) ?? null;
    return { site, open, history, previous: open ? rollbackTarget(open, history) : null };
  });
}

/** Whether the time of a release has run out, also while a page is open that asked before. */
export const isExpired = ({ endsAt }: Pick<ReleaseRow_ReleaseFragment, 'endsAt'>, now: number): boolean =>
  endsAt !== null && Date.parse(endsAt) <= now;

/** Whether a release waits for its time. */
export const isScheduled = ({ startsAt }: Pick<ReleaseRow_ReleaseFragment, 'startsAt'>, now: number): boolean =>
  startsAt !== null && Date.parse(startsAt) > now;

/** The server's own choice: a draft without changes is not frozen anew, what was released last is released again. */
export function revisionToReleaseAgain<Revision extends { readonly number: number }>({
  draft,
  hasUnreleasedChanges,
  released,
}: {
  readonly draft: { readonly state: RevisionState };
  readonly hasUnreleasedChanges: boolean;
  readonly released: Revision | null;
}): Revision | null {
  return draft.state === 'DRAFT' && !hasUnreleasedChanges ? released : null;
}

/** Whether a release only plays the same revision for other people or at other times than the one before it. */
export function isAdjustment<Release extends Pick<ReleaseRow_ReleaseFragment, 'at' | 'endedAt' | 'revision'>>(
  release: Release,
  history: readonly Release[],
): boolean {
  const former = history[history.indexOf(release) + 1];
  return former?.revision.id === release.revision.id && former.endedAt === release.at;
}

type RollbackCandidate = Pick<ReleaseRow_ReleaseFragment, 'at' | 'endedAt' | 'revision' | 'site'> & {
  readonly rollbackOf: object | null;
};

/** The rollbacks to a revision, of the releases of all sites, in the order of these. */
export const rollbacksTo = <Release extends RollbackCandidate>(
  revisionId: string,
  releases: readonly Release[],
): Release[] =>
  releases.filter(
    each =>
      each.rollbackOf !== null &&
      each.revision.id === revisionId &&
      !isAdjustment(
        each,
        releases.filter(other => other.site.id === each.site.id),
      ),
  );

/**
 * The server's own choice (server/waypost-domain/src/release): a rollback stands for the release that it went back to, so a
 * second one goes further back instead of returning; a release of the same revision is no change and is passed over.
 */
function rollbackTarget(
  open: ReleaseRow_ReleaseFragment,
  history: readonly ReleaseRow_ReleaseFragment[],
): ReleaseRow_ReleaseFragment | null {
  let index = history.indexOf(open);
  for (;;) {
    const origin = history.findIndex(each => each.id === history[index]?.rollbackOf?.id);
    if (origin <= index) break;
    index = origin;
  }
  return history.slice(index + 1).find(each => each.revision.id !== open.revision.id) ?? null;
}
