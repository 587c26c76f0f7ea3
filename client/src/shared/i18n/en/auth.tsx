import type { ReactNode } from 'react';
import { defineMessages } from '../messages';

const english = {
  page: {
    loadingWaypost: 'Loading Waypost',
    signingIn: 'Signing you in',
    moment: 'Just a moment',
    details: 'Details',
    loadingSession: 'Loading your session',
    signIn: 'Sign in to Waypost',
    tagline: 'Create guided tours for your sites, release them, and see who completes them.',
    signedOut: 'You are signed out',
    sessionRemoved: 'Your session was removed from this browser.',
    remains: (provider: string) =>
      `Your session was removed from this browser, but you are still signed in at ${provider}. On a shared computer, sign out there too.`,
  },
  titles: {
    failed: 'Sign-in failed',
    accessDenied: 'Access denied',
    unavailable: 'Sign-in isn’t available right now',
    insecureContext: 'Sign-in requires a secure address',
  },
  start: {
    unreachable: {
      title: 'Can’t reach Waypost',
      text: 'The server isn’t responding. Check your connection: to sign in, you need both the server and your identity provider. Your work isn’t lost.',
    },
    noProvider: {
      title: 'Sign-in isn’t set up yet',
      text: 'No identity provider is configured on this server. Administrators can run “waypost --help” to list the settings.',
    },
  },
  menu: {
    renewed: {
      frame: 'Session renewed in a hidden frame.',
      'refresh-token': 'Session renewed with the refresh token.',
      window: 'Session renewed in a window.',
    },
    account: 'My account',
    sessionOf: (name: string | null) => (name === null ? 'Account menu' : `Account menu of ${name}`),
    roleHere: (role: string) => `Role: ${role}`,
    until: (time: ReactNode, then: string) => (
      <>
        Session until {time}, {then}
      </>
    ),
    signInAgain: 'then sign in again',
    notRenewed: 'could not be renewed',
    details: 'Sign-in details',
    signOut: 'Sign out',
    failed: 'Session not renewed',
    slow: 'Session not renewed yet',
    failedText: (until: string, name: string | null) =>
      `Your session lasts until ${until}. To extend it, sign in again${name === null ? '' : ` as ${name}`}. Use a new window to keep this page open.`,
  },
  details: {
    description: 'For administrators and developers who diagnose a sign-in problem.',
    provider: 'Provider',
    issuer: 'Issuer',
    clientId: 'Client ID',
    subject: 'Subject',
    ends: 'Token expires',
    nextRenewal: 'Next renewal',
    notAutomatic: 'None. This session can’t be renewed automatically.',
    renewalMethods: 'Renewed by',
    refreshToken: 'refresh token',
    hiddenFrame: 'hidden frame',
    renewNow: 'Test the renewal',
    noFrame: 'This provider doesn’t renew sessions in a hidden frame.',
    byFrame: 'Renew session in hidden frame',
    noToken: 'The provider didn’t issue a refresh token for this session.',
    byToken: 'Renew session with refresh token',
    byWindow: 'Renew session in a window',
  },
  notice: {
    ended: 'Your session has ended',
    stay: 'Stay signed in',
    dismiss: 'Not now',
    again: (name: string | null) =>
      `Sign in again${name === null ? '' : ` as ${name}`}. Use a new window to keep this page open.`,
    endsUnrenewed: (at: string) => `Your session ends at ${at} and could not be renewed.`,
    endsAlone: (at: string, provider: string) =>
      `Your session ends at ${at}. ${provider} doesn’t renew sessions automatically.`,
  },
  choices: {
    finish: (provider: string) => `Finish signing in with ${provider} in the new window.`,
    popupClosed: 'Did the window close or not open? Continue in this tab. You’ll return to this page.',
    inThisTab: 'Continue in this tab',
    theProvider: 'The provider',
    signInWith: (provider: string) => `Sign in with ${provider}`,
    otherAccount: (provider: string) => `Use another account at ${provider}`,
    signInWithInWindow: (provider: string) => `Sign in with ${provider} in a new window`,
    inWindow: 'In a new window',
    inWindowHint: 'A new window keeps this page open.',
  },
  stepUp: {
    title: 'Confirm it’s you',
    text: (provider: string, name: string | null) =>
      `This change requires a recent sign-in. Sign in again with ${provider}${name === null ? '' : ` as ${name}`}. This page and your entries are kept.`,
    strongText: (provider: string, name: string | null) =>
      `This change requires a recent and more secure sign-in, for example with a second factor. Sign in again with ${provider}${name === null ? '' : ` as ${name}`}. This page and your entries are kept.`,
    action: 'Sign in again',
    lost: 'Did the window close or not open? Sign in again.',
    denied: (provider: string) =>
      `${provider} didn’t grant access. Sign in again and allow access, or cancel the change.`,
    blocked: 'Your browser blocked the sign-in window. Select “Sign in again” to open it.',
  },
  idToken: {
    unreadable: 'The provider’s ID token is malformed.',
    otherIssuer: 'The ID token has a different issuer.',
    otherAudience: 'The ID token was issued for a different audience.',
    otherParty: 'The ID token was issued to a different client.',
    expired: 'The ID token has expired.',
    fromFuture: 'The ID token was issued in the future.',
    withoutTimes: 'The ID token doesn’t state when it was issued and when it expires.',
    otherSubject: 'The ID token was issued for a different account.',
    olderSignIn: 'The ID token is of an earlier sign-in.',
    notRenewed: 'The provider didn’t renew the ID token.',
    noIssuer: 'The response doesn’t identify its provider.',
    otherProvider: 'The response is from a different provider.',
    notAlone: 'This provider doesn’t renew sessions automatically.',
    needsInteraction: 'The provider showed a page in the hidden frame instead of a response.',
    endedElsewhere: 'This session was ended in another tab.',
    notBound: 'The provider didn’t bind this sign-in to your browser.',
  },
  problems: {
    idTokenRefused: (why: string) => `The ID token was rejected: ${why}.`,
    popupBlocked: 'Your browser blocked the sign-in window. Allow pop-ups for this page, or continue in this tab.',
    popupClosed:
      'The sign-in window was closed or is out of reach. If it’s still open, finish there. Otherwise, try again.',
    cancelled: 'Sign-in was canceled. You can sign in again at any time.',
    slow: (name: string) => `${name} hasn’t responded yet. If this page doesn’t continue in a moment, sign in again.`,
    unreachable: (name: string) => `${name} isn’t responding. Check your connection and try again.`,
    corsBlocked: (name: string) =>
      `${name} responded, but this page can’t read the response. It may be temporarily unavailable: try again in a moment. If it keeps failing, ask your administrator to run “waypost doctor oidc”.`,
    unavailable: (name: string) => `${name} is temporarily unavailable. Try again in a moment.`,
    invalidResponse: (name: string) =>
      `${name} returned an unexpected sign-in response. Try again; if it keeps failing, contact your administrator.`,
    sessionEnded: (name: string) => `You’re no longer signed in with ${name}. Sign in again.`,
    accessDenied: (name: string, reason: string | null) =>
      `${name} didn’t grant access${reason === null ? '' : ` (“${reason}”)`}. Sign in again and allow access, sign out to use a different account, or ask your administrator for access.`,
    codeExpired: (name: string) =>
      `${name} no longer accepts this sign-in, because it took too long or was already used. Sign in again; if it keeps failing, contact your administrator.`,
    rejected: (name: string, code: string, reason: string | null) =>
      `${name} rejected the sign-in${reason === null ? '' : `: “${reason}”`} (${code}). Usually, its settings don’t match Waypost’s. Ask your administrator to run “waypost doctor oidc”.`,
    untrusted: (reason: string) =>
      `Sign-in was stopped to protect your account. ${reason} Ask your administrator to run “waypost doctor oidc”.`,
    wrongClock: (reason: string, name: string) =>
      `${reason} The clocks of this computer and of ${name} differ too much. Set this computer’s date and time automatically, then sign in again. If they are correct, ask your administrator to correct the clock of ${name}.`,
    otherAccount: 'You signed in with a different account. Sign in again with the account that you use in Waypost.',
    unknownState: 'This sign-in was already completed or was started in another tab. Sign in again.',
    insecureContext: 'Sign-in requires a secure address. Open Waypost over https or on localhost.',
    keyNotStored:
      'This browser can’t store the key that protects your session. Leave private browsing, or allow this site to store data, and try again.',
    unknown: (reason: string) =>
      `Sign-in failed: ${reason}. Try again; if it keeps failing, contact your administrator.`,
  },
};

export type AuthTexts = typeof english;
export const t = defineMessages('auth', english);
