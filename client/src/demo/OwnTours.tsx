// Waypost's own tours: those released to the site that represents this installation.

import { useInstanceQuery } from '../generated/hooks';
import { useTourSession } from './use-tour-session';
import { visitorId } from './visitor-id';

export interface OwnToursProps {
  /** The signed-in account. It is the visitor's external id, so that an account sees a tour once in all browsers. */
  accountId: string;
}

export function OwnTours({ accountId }: OwnToursProps) {
  const { data } = useInstanceQuery();
  // Errors are not shown, because the user is not waiting for a tour.
  useTourSession({
    siteKey: data?.instance.ownSiteKey ?? null,
    visitor: visitorId(),
    externalId: accountId,
    waitUntilReady: waitUntilNoDialog,
  });
  return null;
}

/** Open menus and dialogs. They are removed from the document when they close. */
const OVERLAYS = '[role=menu], [role=dialog], [role=alertdialog]';

/** Waits until no menu or dialog is open, or the signal aborts. */
export function waitUntilNoDialog(signal: AbortSignal): Promise<void> {
  const isDone = () => signal.aborted || document.querySelector(OVERLAYS) === null;
  if (isDone()) return Promise.resolve();
  return new Promise(resolve => {
    const check = () => {
      if (!isDone()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(check);
    observer.observe(document.body, { childList: true, subtree: true });
    signal.addEventListener('abort', check, { once: true });
  });
}
