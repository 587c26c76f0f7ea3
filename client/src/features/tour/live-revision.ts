import type { TourRevisionsQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/review';
import { formatList } from '../../shared/i18n/format';
import { reviewRequestingChanges } from './last-review';

type Release = NonNullable<TourRevisionsQuery['tourBySlug']>['releases'][number];

export type SiteRelease = Pick<Release, 'id' | 'state' | 'site' | 'revision'>;

type Released = { readonly number: number } | null;

interface DraftStatus {
  readonly hasUnreleasedChanges: boolean;
  readonly released: Released;
  readonly draft: Parameters<typeof reviewRequestingChanges>[0];
}

/** Differs for the reviewer who requested changes. */
export function formatDraftState(
  { hasUnreleasedChanges, released, draft }: DraftStatus,
  account: string | undefined,
): string {
  const review = reviewRequestingChanges(draft);
  if (review) return review.endedBy?.id === account ? t.panel.youReturned : t.panel.writingAgain;
  return formatUnchanged({ hasUnreleasedChanges, released }) ?? t.panel.writing;
}

export const formatUnchanged = ({ hasUnreleasedChanges, released }: Omit<DraftStatus, 'draft'>): string | null =>
  released && !hasUnreleasedChanges ? t.panel.unchanged(released.number) : null;

export function formatOlderLive(released: Released, releases: readonly SiteRelease[]): string[] {
  const newest = released?.number ?? 0;
  const sites = new Map<number, string[]>();
  for (const { state, revision, site } of releases) {
    if (state !== 'LIVE' || revision.number === newest) continue;
    sites.set(revision.number, [...(sites.get(revision.number) ?? []), site.name]);
  }
  return [...sites].map(([number, names]) => t.panel.older(number, formatList(names), newest));
}

type TimedRelease = Pick<Release, 'state' | 'at' | 'endedAt' | 'site' | 'revision'>;

/** True if the revision is live, also after adjustments of its terms. `releases` are newest first. */
export function isStillLive<Each extends TimedRelease>(release: Each, releases: readonly Each[]): boolean {
  const adjusted = releases
    .slice(0, Math.max(0, releases.indexOf(release)))
    .findLast(
      each =>
        each.site.id === release.site.id && each.revision.id === release.revision.id && each.at === release.endedAt,
    );
  return adjusted ? isStillLive(adjusted, releases) : release.state === 'LIVE';
}
