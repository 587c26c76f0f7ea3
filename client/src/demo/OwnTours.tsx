import { visitorId } from '../../embed/player/visitor-id';
import { waitUntilNoDialog } from '../../embed/player/wait-until-no-dialog';
import { useInstanceQuery } from '../generated/hooks';
import { useTourSession } from './use-tour-session';

export interface OwnToursProps {
  /** The signed-in account as the visitor's external id, so that it sees a tour once in all browsers. */
  accountId: string;
}

export function OwnTours({ accountId }: OwnToursProps) {
  const { data } = useInstanceQuery();
  useTourSession({
    siteKey: data?.instance.ownSiteKey ?? null,
    visitor: visitorId(),
    externalId: accountId,
    waitUntilReady: waitUntilNoDialog,
  });
  return null;
}
