/** Says of the open revision and of what plays how they relate to what was released last. */
import type { TourRevisionsQuery } from '../generated/operations';
import { formatList } from '../lib/format';
import { newestReleased } from '../release/site-releases';
import { t } from '../texts/review';

export type Played = NonNullable<TourRevisionsQuery['tourBySlug']>['releases'][number];

export function writingSentence(tour: { readonly hasUnreleasedChanges: boolean }, releases: readonly Played[]): string {
  const newest = newestReleased(releases);
  return newest && !tour.hasUnreleasedChanges ? t.panel.unchanged(newest.number) : t.panel.writing;
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
