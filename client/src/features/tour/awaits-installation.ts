interface Site {
  readonly id: string;
  readonly own: boolean;
  readonly lastSeenAt: string | null;
}

/** True if no page of the site can have loaded a tour. The visitors of a sample workspace are generated. */
export const isNotInstalled = ({ own, lastSeenAt }: Omit<Site, 'id'>, sample: boolean): boolean =>
  !own && !sample && lastSeenAt === null;

/** True if the tour has live releases, and none of their sites is installed. */
export function awaitsInstallation(
  open: readonly { readonly state: string; readonly site: { readonly id: string } }[],
  { sites, sample }: { readonly sites: readonly Site[]; readonly sample: boolean },
): boolean {
  const live = open.filter(({ state }) => state === 'LIVE');
  return (
    live.length > 0 && live.every(({ site }) => sites.some(each => each.id === site.id && isNotInstalled(each, sample)))
  );
}
