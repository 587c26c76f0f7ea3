import type { ToursQuery } from '../../generated/operations';
import type { Workspace } from './workspace-context';

export type FirstStep = 'site' | 'install' | 'tour' | 'release';

interface Site {
  readonly id: string;
  readonly own: boolean;
  readonly lastSeenAt: string | null;
}

interface Tour {
  readonly slug: string;
  readonly open: readonly { readonly site: { readonly id: string } }[];
}

/** Only administrators can do all of the steps, and the sample workspace has its tours already. */
export function showsFirstSteps(
  { myRole, sites, sample }: Pick<Workspace, 'myRole' | 'sites' | 'sample'>,
  tours: ToursQuery['tours'],
): boolean {
  const isComplete = Object.values(firstSteps(sites, tours).done).every(Boolean);
  return !sample && myRole === 'ADMIN' && !isComplete && !tours.pageInfo.hasNextPage;
}

/** Excludes Waypost's own site and the tours that are released to it only. */
export function firstSteps<S extends Site, T extends Tour>(
  allSites: readonly S[],
  { nodes }: { readonly nodes: readonly T[] },
): { done: Readonly<Record<FirstStep, boolean>>; site: S | null; tour: T | null } {
  const sites = allSites.filter(site => !site.own);
  const isOn = (tour: T, at: readonly S[]) => tour.open.some(({ site }) => at.some(({ id }) => id === site.id));
  const tours = nodes.filter(tour => tour.open.length === 0 || isOn(tour, sites));
  const [site = null] = sites;
  const [tour = null] = tours;
  return {
    done: {
      site: site !== null,
      install: sites.some(({ lastSeenAt }) => lastSeenAt !== null),
      tour: tour !== null,
      release: tours.some(each => isOn(each, sites)),
    },
    site,
    tour,
  };
}
