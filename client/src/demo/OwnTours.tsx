// Waypost introduces itself with its own tours: those released on the site that stands for this installation.

import { useInstanceQuery } from '../generated/hooks';
import { useTourSession } from './use-tour-session';
import { visitorId } from './visitor-id';

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
    free: waitUntilNoDialog,
  });
  return null;
}

/** What lies over the page and asks for an answer: a menu, a dialog. Its container comes and goes with it. */
const OVER = '[role=menu], [role=dialog], [role=alertdialog]';

/** Waits until no menu and no dialog is open, or the signal ends the wait. */
export function waitUntilNoDialog(signal: AbortSignal): Promise<void> {
  const isFree = () => signal.aborted || document.querySelector(OVER) === null;
  if (isFree()) return Promise.resolve();
  return new Promise(resolve => {
    const look = () => {
      if (!isFree()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    signal.addEventListener('abort', look, { once: true });
  });
}
