import type { ReleaseRow_ReleaseFragment, RevisionState } from '../../generated/operations';
import { t } from '../../shared/i18n/en/release';

type Release = Pick<ReleaseRow_ReleaseFragment, 'state' | 'revision' | 'endedAt'>;

export interface ReleasedTour {
  readonly draft: { readonly number: number; readonly state: RevisionState };
  /** True if the draft differs from the newest released revision, live or not. */
  readonly hasUnreleasedChanges: boolean;
  readonly released: { readonly number: number } | null;
  readonly releases: readonly Release[];
}

/** `awaiting`: the live releases await the installation of their sites. */
export function formatReleaseState(
  { draft, hasUnreleasedChanges, released, releases }: ReleasedTour,
  awaiting = false,
): string {
  if (released === null) return t.sentence.never;
  const newest = released.number;
  const draftState = hasUnreleasedChanges
    ? (draft.state === 'IN_REVIEW' ? t.sentence.inReview : t.sentence.writing)(draft.number)
    : t.sentence.unchanged;
  const live = releases.filter(each => each.state === 'LIVE');
  if (live.length === 0) return `${t.sentence.notLive(lastLive(releases)?.number ?? newest, newest)} ${draftState}`;
  if (hasUnreleasedChanges) return draftState;
  if (awaiting) return `${t.sentence.awaiting} ${draftState}`;
  const upToDate = live.filter(each => each.revision.number === newest).length;
  if (upToDate === live.length) return t.sentence.upToDate;
  if (upToDate === 0) return `${t.sentence.older(newest)} ${draftState}`;
  return `${t.sentence.some(newest, upToDate, live.length)} ${draftState}`;
}

/** Returns the revision of the release that ended last; a paused one has not ended. */
function lastLive(releases: readonly Release[]): { readonly number: number } | undefined {
  const end = ({ endedAt }: Release): number => (endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt));
  return releases.toSorted((a, b) => end(b) - end(a))[0]?.revision;
}
