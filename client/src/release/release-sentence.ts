/** Says in one sentence how what plays relates to what is written. */
import type { ReleaseRow_ReleaseFragment } from '../generated/operations';

export interface ReleasedTour {
  readonly draft: { readonly number: number };
  /** Whether the draft differs from the newest revision that was ever released, whether or not that one plays. */
  readonly hasUnreleasedChanges: boolean;
  readonly releases: readonly Pick<ReleaseRow_ReleaseFragment, 'state' | 'revision'>[];
}

export function releaseSentence({ draft, hasUnreleasedChanges, releases }: ReleasedTour): string {
  if (releases.length === 0) return 'This tour has not been released yet.';
  const writing = hasUnreleasedChanges
    ? `Revision ${draft.number} is being written and has not been released.`
    : 'The draft has no changes since.';
  const newest = Math.max(...releases.map(each => each.revision.number));
  const live = releases.filter(each => each.state === 'LIVE');
  if (live.length === 0) return `Nothing plays at the moment; revision ${newest} was the newest release. ${writing}`;
  if (hasUnreleasedChanges) return writing;
  const upToDate = live.filter(each => each.revision.number === newest).length;
  if (upToDate === live.length) return 'The newest revision is released; nothing has changed since.';
  if (upToDate === 0) return `An older revision plays; the newest released one is revision ${newest}. ${writing}`;
  return `Revision ${newest}, the newest, plays on ${upToDate} of ${live.length} sites; an older one on the others. ${writing}`;
}
