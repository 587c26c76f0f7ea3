/** Says of the open revision and of what plays how they relate to what was released last. */
import type { TourRevisionsQuery } from '../generated/operations';
import { formatList } from '../lib/format';
import { newestReleased } from '../release/site-releases';
import { t } from '../texts/review';
import { returnedReview } from './returned';

type Release = NonNullable<TourRevisionsQuery['tourBySlug']>['releases'][number];

export type Played = Pick<Release, 'id' | 'state' | 'site' | 'revision'>;

interface Written {
  readonly hasUnreleasedChanges: boolean;
  readonly draft: Parameters<typeof returnedReview>[0];
}

export function writingSentence({ hasUnreleasedChanges, draft }: Written, releases: readonly Played[]): string {
  if (returnedReview(draft)) return t.panel.writingAgain;
  const newest = newestReleased(releases);
  return newest && !hasUnreleasedChanges ? t.panel.unchanged(newest.number) : t.panel.writing;
}

/** A sentence for each revision that plays somewhere although a newer one was released. */
export function olderPlaying(releases: readonly Played[]): string[] {
  const newest = newestReleased(releases)?.number ?? 0;
  const sites = new Map<number, string[]>();
  for (const { state, revision, site } of releases) {
    if (state !== 'LIVE' || revision.number === newest) continue;
    sites.set(revision.number, [...(sites.get(revision.number) ?? []), site.name]);
  }
  return [...sites].map(([number, names]) => t.panel.older(number, formatList(names), newest));
}

/** The revisions that play, unless what is written now is what plays everywhere. */
export function otherLive(hasUnreleasedChanges: boolean, releases: readonly Pick<Release, 'state' | 'revision'>[]): number[] {
  const live = releases.filter(each => each.state === 'LIVE').map(each => each.revision.number);
  const newest = hasUnreleasedChanges ? null : newestReleased(releases)?.number;
  return live.every(number => number === newest) ? [] : [...new Set(live)].toSorted((a, b) => a - b);
}

type Timed = Pick<Release, 'state' | 'at' | 'endedAt' | 'site' | 'revision'>;

/** Whether a release plays, also where only for whom or when was changed since. The releases are newest first. */
export function playsStill<Each extends Timed>(release: Each, releases: readonly Each[]): boolean {
  const adjusted = releases
    .slice(0, Math.max(0, releases.indexOf(release)))
    .findLast(
      each => each.site.id === release.site.id && each.revision.id === release.revision.id && each.at === release.endedAt,
    );
  return adjusted ? playsStill(adjusted, releases) : release.state === 'LIVE';
}
