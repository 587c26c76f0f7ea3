import type { ReactNode } from 'react';
import { defineMessages } from '../messages';

const english = {
  page: {
    loadingWaypost: 'Loading Waypost',
    signingIn: 'Signing you in',
    moment: 'One moment',
    failed: 'The sign-in did not work',
    details: 'Details',
    loadingSession: 'Loading your session',
    signIn: 'Sign in to Waypost',
    promise: 'Write guided tours for your sites, release them, and see who finished them.',
    signedOut: 'You are signed out',
    forgotten: 'This browser has forgotten your session.',
  },
  start: {
    unreachable: {
      title: 'Waypost cannot be reached',
      text: 'The server does not answer. Check your connection: signing in needs the server and your identity provider. Nothing that you wrote is lost.',
    },
    noProvider: {
      title: 'Nobody can sign in yet',
      text: 'This server names no identity provider. Its operator sets one up; “waypost --help” lists the settings.',
    },
  },
  menu: {
    renewed: {
      frame: 'Renewed in a hidden frame.',
      'refresh-token': 'Renewed by refresh token.',
      window: 'Renewed in a window.',
    },
    sessionOf: (name: string) => `Session of ${name}`,
    roleHere: (role: string) => `${role} here`,
    signedInWith: (provider: string) => `Signed in with ${provider}`,
    until: (time: ReactNode, then: string) => (
      <>
        Until {time}, {then}
      </>
    ),
    renewedByItself: 'then renewed by itself',
    signInAgain: 'then you sign in again',
    notRenewed: 'and it could not be renewed',
    noFrame: 'This provider renews no session in a frame.',
    byFrame: 'Renew now in a hidden frame',
    noToken: 'The provider gave this session no refresh token.',
    byToken: 'Renew now by refresh token',
    byWindow: 'Renew now in a window',
    signOut: 'Sign out',
    failed: 'The session was not renewed',
    failedText: (until: string, name: string) =>
      `It lasts until ${until}. Sign in again as ${name} to make it last longer: in a new window, this page stays as it is.`,
  },
  notice: {
    ended: 'Your session has ended',
    stay: 'Stay signed in',
    notNow: 'Not now',
    again: (name: string) => `Sign in again as ${name}. In a new window, this page stays as it is.`,
    endsUnrenewed: (at: string) => `Your session ends at ${at} and could not be renewed.`,
    endsAlone: (at: string, provider: string) => `Your session ends at ${at}. ${provider} renews none without you.`,
  },
  choices: {
    finish: (provider: string) => `Finish signing in with ${provider} in the window that opened.`,
    lost: 'Is the window closed, or did it not open? Then continue here; you come back to this page.',
    inThisTab: 'Continue in this tab',
    theProvider: 'The provider',
    signInWith: (provider: string) => `Sign in with ${provider}`,
    signInWithInWindow: (provider: string) => `Sign in with ${provider} in a new window`,
    inWindow: 'In a new window',
  },
  idToken: {
    unreadable: 'The provider sent no readable ID token.',
    otherIssuer: 'The ID token comes from another issuer.',
    otherAudience: 'The ID token is meant for another application.',
    otherParty: 'The ID token was given to another application.',
    expired: 'The ID token has expired.',
    fromFuture: 'The ID token was issued in the future. Check the clock of this computer.',
    noIssuer: 'The answer does not say which provider sent it.',
    otherProvider: 'The answer comes from another provider.',
    notAlone: 'This provider renews no session without you.',
    endedElsewhere: 'This session was ended in another tab.',
  },
  problems: {
    idTokenRefused: (why: string) => `The ID token was refused: ${why}.`,
    blocked: 'The browser blocked the sign-in window. Allow pop-ups for this page, or continue in this tab.',
    lost: 'The window was closed, or this page cannot see it any more. If it is still open, finish there; if not, try again.',
    cancelled: 'The sign-in was cancelled. Sign in again when you like.',
    unreachable: (name: string) => `${name} does not answer. Check your connection and try again.`,
    unreadable: (name: string) =>
      `${name} answers, but this page may not read it. Try again; if it stays so, “waypost doctor oidc” tells its operator what to change.`,
    busy: (name: string) => `${name} cannot answer right now. Try again in a moment.`,
    garbled: (name: string) =>
      `${name} gave an answer that is none to a sign-in. Try again in a moment, and tell whoever runs this installation if it stays so.`,
    over: (name: string) => `Your session with ${name} is over. Sign in again.`,
    refused: (name: string, reason: string, advice: string) => `${name} refused the sign-in: ${reason} ${advice}`,
    untrusted: (reason: string) =>
      `The sign-in was stopped to protect your account. ${reason} Tell whoever runs this installation.`,
    stale: 'This sign-in was already finished, or was begun in another tab. Sign in again.',
    insecure: 'Signing in needs a secure address. Open Waypost by https, or on localhost.',
    unknown: (reason: string) =>
      `The sign-in did not work: ${reason}. Try again, and tell whoever runs this installation if it stays so.`,
    otherAccount: 'Sign in with another account, or ask for access.',
    wrongSettings: 'Its settings for Waypost are wrong; “waypost doctor oidc” tells its operator which.',
  },
};

export type AuthTexts = typeof english;
export const t = defineMessages('auth', english);
