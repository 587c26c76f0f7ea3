type Seen = { readonly own: boolean; readonly lastSeenAt: string | null };

/** The site that was heard of last, before Waypost's own: who looks for people looks where people are. */
export const lastVisited = <Known extends Seen>(sites: readonly Known[]): Known | undefined =>
  sites.toSorted((a, b) => Number(a.own) - Number(b.own) || seenAt(b) - seenAt(a))[0];
const seenAt = ({ lastSeenAt }: Seen): number => (lastSeenAt === null ? 0 : Date.parse(lastSeenAt));
