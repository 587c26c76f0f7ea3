import { defineMessages } from '../messages';

const english = {
  cannotCopy: 'The browser does not allow copying here. Select the text and copy it.',
  copied: 'Copied',
  optional: 'optional',
  showMore: 'Show more',
  newerVersion: {
    saved: 'Somebody saved a newer version.',
    show: 'Show it',
    or: 'or',
    keep: 'save mine over it',
  },
  notices: 'Notices (F8)',
  dismiss: 'Dismiss',
  failures: {
    offline: 'You are offline',
    unreachable: 'The server cannot be reached',
    checkConnection: 'Check your connection. Unsaved changes stay on this device until the server answers again.',
    strange: 'The answer made no sense',
    strangeAdvice:
      'Something answered, but not as Waypost does: often a proxy, or a server that is being restarted. Try again, and tell an operator if it stays.',
    refused: 'The server refused',
    stopped: 'The request was stopped',
    tryAgainPlease: 'Try again.',
    broken: 'Something is broken in this page',
    brokenAdvice: 'Reload the page. If it happens again, report it with the text below.',
    notAccepted: 'Your sign-in is not accepted here',
    notAcceptedAdvice: (reason: string) =>
      `${reason} Sign out and in again. If it stays so, tell whoever runs this installation; “waypost doctor oidc” looks at its settings.`,
    forbidden: 'You may not do this',
    notFound: 'Nothing here',
    unauthenticated: 'Sign in to continue',
    reference: (id: string) => `Reference ${id}`,
  },
  /** What is printed on the keys of a keyboard. */
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
