// Waypost introduces itself with its own tours: those released on the site that stands for this installation.

import { useInstanceQuery } from '../generated/hooks';
import { nothingOpen } from '../shared/lib/nothing-open';
import { useTourSession } from './use-tour-session';
import { visitorId } from './visitor';

export interface OwnToursProps {
  /** The signed-in account; each account meets a tour once, whatever browser it uses. */
  accountId: string;
}

export function OwnTours({ accountId }: OwnToursProps) {
  const { data } = useInstanceQuery();
  // A tour that cannot be had is no reason to bother somebody who came to work.
  useTourSession({
    siteKey: data?.instance.ownSiteKey ?? null,
    visitor: visitorId(),
    externalId: accountId,
    free: nothingOpen,
  });
  return null;
}
