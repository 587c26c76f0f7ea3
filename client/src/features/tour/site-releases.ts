import type { ReleaseRow_ReleaseFragment, RevisionState, SiteCard_SiteFragment } from '../../generated/operations';

export interface SiteReleases {
  readonly site: Pick<SiteCard_SiteFragment, 'id' | 'name' | 'own' | 'lastSeenAt' | 'lastPage'>;
  readonly open: ReleaseRow_ReleaseFragment | null;
  /** Newest first, with the open one. */
  readonly history: readonly ReleaseRow_ReleaseFragment[];
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

/** An open page may not know that the server has ended it. */
export const isExpired = ({ endsAt }: Pick<ReleaseRow_ReleaseFragment, 'endsAt'>, now: number): boolean =>
  endsAt !== null && Date.parse(endsAt) <= now;

export const isScheduled = ({ startsAt }: Pick<ReleaseRow_ReleaseFragment, 'startsAt'>, now: number): boolean =>
  startsAt !== null && Date.parse(startsAt) > now;

/** Mirrors the server: releasing a draft without changes releases the last released revision again. */
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

/** `history` is newest first. */
export function isAdjustment<Release extends Pick<ReleaseRow_ReleaseFragment, 'at' | 'endedAt' | 'revision'>>(
  release: Release,
  history: readonly Release[],
): boolean {
  const former = history[history.indexOf(release) + 1];
  return former?.revision.id === release.revision.id && former.endedAt === release.at;
}

/** True if the next release on the site ended this one, and not a member who stopped it. `history` is newest first. */
export function isReplaced<Release extends Pick<ReleaseRow_ReleaseFragment, 'at' | 'endedAt'>>(
  release: Release,
  history: readonly Release[],
): boolean {
  const next = history[history.indexOf(release) - 1];
  return next !== undefined && next.at === release.endedAt;
}

/** Returns one release of each other revision, newest first. */
export const rollbackChoices = <Release extends Pick<ReleaseRow_ReleaseFragment, 'revision'>>(
  open: Release,
  history: readonly Release[],
): Release[] =>
  history.filter(
    ({ revision }, index) =>
      revision.id !== open.revision.id && history.findIndex(each => each.revision.id === revision.id) === index,
  );

type RollbackCandidate = Pick<ReleaseRow_ReleaseFragment, 'at' | 'endedAt' | 'revision' | 'site'> & {
  readonly rollbackOf: object | null;
};

/** Returns the rollbacks in the order of `releases`. */
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
 * Mirrors the server (server/waypost/domain/src/release). A rollback counts as its target, so a second rollback goes
 * further back. Releases of the same revision are skipped.
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
