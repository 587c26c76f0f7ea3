import type { Workspace } from './workspace-context';

type Sites = readonly Pick<Workspace['sites'][number], 'brokenTours'>[];

export const isBroken = ({ id }: { readonly id: string }, sites: Sites): boolean =>
  sites.some(site => site.brokenTours.some(tour => tour.id === id));

export const countBroken = (sites: Sites): number =>
  new Set(sites.flatMap(({ brokenTours }) => brokenTours.map(({ id }) => id))).size;
