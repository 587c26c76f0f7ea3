import { defineMessages } from '../messages';

const english = {
  cannotCopy: 'Your browser doesn’t allow copying here. Select the text and copy it manually.',
  copied: 'Copied',
  optional: 'optional',
  showMore: 'Show more',
  newerVersion: {
    saved: 'Someone saved a newer version.',
    show: 'Show it',
    or: 'or',
    keep: 'overwrite it with mine',
  },
  notices: 'Notifications (F8)',
  dismiss: 'Dismiss',
  failures: {
    offline: 'You are offline',
    unreachable: 'Can’t reach the server',
    checkConnection: 'Check your connection. Unsaved changes are kept on this device until the server is back.',
    unexpected: 'Unexpected response',
    unexpectedAdvice:
      'The response didn’t come from Waypost. Usually the cause is a proxy or a server that is restarting. Try again; if it keeps failing, contact your administrator.',
    refused: 'The server rejected the request',
    stopped: 'Request canceled',
    tryAgain: 'Try again.',
    broken: 'Something went wrong',
    brokenAdvice: 'Reload the page. If it happens again, report it with the details below.',
    notAccepted: 'Your sign-in isn’t accepted here',
    notAcceptedAdvice: (reason: string) =>
      `${reason} Sign out and in again. If it keeps failing, ask your administrator to run “waypost doctor oidc”.`,
    forbidden: 'You don’t have permission',
    notFound: 'Not found',
    unauthenticated: 'Sign in to continue',
    reference: (id: string) => `Reference ${id}`,
  },
  keys: {
    mod: 'Ctrl',
    shift: 'Shift',
    alt: 'Alt',
    pageup: 'Page ↑',
    pagedown: 'Page ↓',
    delete: 'Del',
    escape: 'Esc',
  },
};

export type UiTexts = typeof english;
export const t = defineMessages('ui', english);
