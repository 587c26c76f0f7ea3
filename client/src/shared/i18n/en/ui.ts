import { defineMessages } from '../messages';

const english = {
  cannotCopy: 'Your browser doesn’t allow copying here. Select the text and copy it manually.',
  builtIn: 'Built in',
  copied: 'Copied',
  copy: 'Copy',
  copyCode: 'Copy code',
  secret: {
    notCopied: 'You haven’t copied it yet, and it won’t be shown again.',
    close: 'Close without copying',
  },
  optional: 'optional',
  showMore: 'Show more',
  newerVersion: {
    saved: 'Someone saved a newer version.',
    show: 'Show it',
    or: 'or',
    keep: 'overwrite it with mine',
  },
  selectAll: 'Select all rows',
  select: (name: string) => `Select ${name}`,
  leave: {
    title: 'Leave without saving?',
    leave: 'Leave without saving',
    stay: 'Keep editing',
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
    notAcceptedAdvice:
      'This server rejected the token from your identity provider. Try again in a minute. If it keeps failing, signing in again won’t help: ask your administrator to run “waypost doctor oidc”.',
    opaqueToken: 'This server can’t verify your sign-in',
    opaqueTokenAdvice:
      'Your identity provider issues opaque access tokens, and the server isn’t set up to verify them. Signing in again won’t help: ask your administrator to set WAYPOST_OIDC_TOKEN or WAYPOST_OIDC_RESOURCE. “waypost doctor oidc” shows which one.',
    signOut: 'Sign out',
    forbidden: 'You don’t have permission',
    notFound: 'Not found',
    unauthenticated: 'Sign in to continue',
    reference: (id: string) => `Reference ${id}`,
  },
  keys: {
    mod: 'Ctrl',
    shift: 'Shift',
    enter: 'Enter',
    alt: 'Alt',
    pageup: 'Page ↑',
    pagedown: 'Page ↓',
    delete: 'Del',
    escape: 'Esc',
  },
};

export type UiTexts = typeof english;
export const t = defineMessages('ui', english);
