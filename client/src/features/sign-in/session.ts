/**
 * The session of the person at this tab, without React: who signed in, the token to send, how it is renewed, and the
 * news that somebody signed out. start.ts connects it to the network layer, AuthRoot.tsx and use-session.ts to React.
 */
import type { User } from 'oidc-client-ts';
import { managerOf, type Provider, rememberedProvider, rememberProvider } from './providers';
import { currentPath, keepReturn } from './return-to';
import type { SafeUserManager } from './safe-user-manager';
import { isPassing, type SignInProblem, signInProblem } from './sign-in-problem';

export interface Active {
  provider: Provider;
  manager: SafeUserManager;
}

/** How a token can be renewed by hand. */
export type RenewalByHand = 'frame' | 'refresh-token' | 'window';

/**
 * A token that was renewed this short a time ago is not renewed again, even when the server refuses it: milliseconds.
 */
const RENEWAL_PAUSE = 60_000;

/** How long a new tab waits for a session that the provider may still have, in seconds. */
const RESUME_PATIENCE = 4;

let providers: readonly Provider[] = [];
let active: Active | null = null;
let user: User | null = null;
let lastRenewal = 0;
let problem: SignInProblem | null = null;
let stopListening: () => void = () => {};
const signedOut = new Set<() => void>();
const changed = new Set<() => void>();

/** Tells the other tabs of this origin who signed out. */
const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('waypost.signed-out');

/**
 * The token to send, or null while nobody is signed in or the token has expired. It is the one that the server checks:
 * some providers make access tokens for themselves only, and for some the token must be told apart by a prefix.
 */
export function accessToken(): string | null {
  if (!user || user.expired === true) return null;
  const token = active?.provider.token === 'ID_TOKEN' ? user.id_token : user.access_token;
  return token === undefined ? null : (active?.provider.tokenPrefix ?? '') + token;
}

/** Who is signed in, with a current token or an expired one; null while nobody is. */
export function currentPerson(): string | null {
  return user && personOf(user);
}

/**
 * Gets a new access token without the person: by refresh token, else in a hidden frame. True when there is one to try
 * again with. At most one renewal a minute: a server that refuses every token must not cause a storm.
 */
export async function renewSession(): Promise<boolean> {
  if (!active || !user) return false;
  if (accessToken() !== null && Date.now() - lastRenewal < RENEWAL_PAUSE) return true;
  try {
    await active.manager.signinSilent();
    return accessToken() !== null;
  } catch (error) {
    setProblem(signInProblem(error));
    return false;
  }
}

/**
 * Calls back when the person at this tab is no longer the one before: signed out, here or in another tab, or
 * replaced.
 */
export function onSignedOut(callback: () => void): () => void {
  signedOut.add(callback);
  return () => signedOut.delete(callback);
}

/** Looks for a session: in this tab's store, else at the provider that was used last. Called once, by start.ts. */
export async function beginSession(known: readonly Provider[]): Promise<void> {
  providers = known;
  const remembered = rememberedProvider(providers);
  const first = remembered ?? providers[0];
  if (!first) return;
  activate(first);
  // The answer of a full-page sign-in is on its way; AuthProvider takes it. Its tokens are this tab's alone.
  if (window.location.pathname === '/auth/callback') await managerOf(first).claimTab();
  else await resume(first, remembered !== null);
  window.addEventListener('online', () => void wakeUp());
  document.addEventListener('visibilitychange', () => void wakeUp());
  otherTabs?.addEventListener('message', ({ data }) => {
    if (user && data === personOf(user)) void active?.manager.removeUser();
  });
}

/**
 * Continues the session of this tab, or makes one from the provider's when this browser has used that provider
 * before.
 */
async function resume(provider: Provider, usedBefore: boolean): Promise<void> {
  const manager = managerOf(provider);
  const claim = await manager.claimTab();
  setUser(await manager.getUser());
  if (accessToken() !== null) return;
  const hadSession = user !== null;
  if (!hadSession && !usedBefore && claim === 'owner') return;
  try {
    await manager.signinSilent({ silentRequestTimeoutInSeconds: RESUME_PATIENCE });
  } catch (error) {
    const reason = signInProblem(error);
    // Without an answer nothing is lost yet: the next attempt may succeed with the same refresh token.
    if (!isPassing(reason)) await manager.removeUser();
    if (reason.kind === 'over') rememberProvider(null);
    // In a new tab nobody has asked for anything yet, and some providers refuse this without an ID token of the session.
    else if (hadSession || isPassing(reason)) setProblem(reason);
  }
}

/** After sleep or an outage the token may be old, and the automatic renewal may have given up. */
async function wakeUp(): Promise<void> {
  if (document.visibilityState === 'visible' && user && accessToken() === null) await renewSession();
}

/** Signs in by leaving the page for the provider; it comes back to /auth/callback, and from there to `returnTo`. */
export async function signInByRedirect(provider: Provider, returnTo = currentPath()): Promise<SignInProblem | null> {
  try {
    rememberProvider(provider);
    keepReturn(returnTo);
    await managerOf(provider).signinRedirect({ state: { returnTo } });
    return null;
  } catch (error) {
    return signInProblem(error);
  }
}

/**
 * Signs in by a window of the provider, while this page stays. `signal` stops waiting for it; `onLost` tells that it was
 * closed or cannot be seen any more.
 */
export async function signInByPopup(
  provider: Provider,
  signal: AbortSignal,
  onLost: () => void = () => {},
): Promise<SignInProblem | null> {
  try {
    const manager = managerOf(provider);
    // Begun first, and not waited for: a window has to be opened while the click still counts.
    const claim = manager.claimTab();
    // `popupAbortOnClose` stays off: it takes a provider that isolates its windows for a closed window.
    await manager.signInByWindow(signal, onLost);
    await claim;
    rememberProvider(provider);
    activate(provider);
    setUser(await manager.getUser());
    return null;
  } catch (error) {
    return signInProblem(error);
  }
}

/** Renews the access token because the person asks for it. `onLost` is as for `signInByPopup`, which goes on waiting. */
export async function renewBy(renewal: RenewalByHand, onLost: () => void): Promise<SignInProblem | null> {
  if (!active) return { kind: 'over' };
  try {
    if (renewal === 'window') return await signInByPopup(active.provider, new AbortController().signal, onLost);
    await active.manager.signinSilent({ forceIframeAuth: renewal === 'frame' });
    return null;
  } catch (error) {
    return signInProblem(error);
  }
}

/** Signs out: this tab at once, the other tabs of the same person, then the provider, where the page may go. */
export async function signOut(): Promise<'provider' | 'local'> {
  if (!active) return 'local';
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
  if (user) otherTabs?.postMessage(personOf(user));
  rememberProvider(null);
  keepReturn(null);
  return active.manager.signOut();
}

/** The providers that the server named. */
export function knownProviders(): readonly Provider[] {
  return providers;
}

/** The provider that is in use, with its manager; null when the server named none. */
export function activeProvider(): Active | null {
  return active;
}

/** Why the session could not be renewed or resumed; null once it was. */
export function sessionProblem(): SignInProblem | null {
  return problem;
}

/** Calls back when `activeProvider` or `sessionProblem` answer something else. */
export function onSessionChanged(callback: () => void): () => void {
  changed.add(callback);
  return () => changed.delete(callback);
}

function activate(provider: Provider): void {
  if (active?.provider.id === provider.id) return;
  stopListening();
  setUser(null);
  const manager = managerOf(provider);
  const stops = [
    manager.events.addUserLoaded(setUser),
    manager.events.addUserUnloaded(() => setUser(null)),
    manager.events.addUserSignedOut(endedElsewhere),
    manager.events.addSilentRenewError(error => setProblem(signInProblem(error))),
  ];
  stopListening = () => {
    for (const stop of stops) stop();
  };
  active = { provider, manager };
  for (const callback of changed) callback();
}

/** The provider's session is watched and has ended: so has this one, in all tabs of the person. */
async function endedElsewhere(): Promise<void> {
  if (!active || !user) return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
  otherTabs?.postMessage(personOf(user));
  rememberProvider(null);
  await active.manager.removeUser();
}

function setUser(next: User | null): void {
  const left = user !== null && (next === null || personOf(next) !== personOf(user));
  const renewed = next !== null && next.access_token !== user?.access_token;
  user = next;
  if (renewed) lastRenewal = Date.now();
  if (renewed || next === null) setProblem(null);
  if (left) for (const callback of signedOut) callback();
}

function setProblem(next: SignInProblem | null): void {
  if (next === problem) return;
  problem = next;
  for (const callback of changed) callback();
}

/** Tells people apart: a subject is unique at its issuer only (OpenID Connect Core, section 5.7). */
export function personOf({ profile: { iss, sub } }: User): string {
  return JSON.stringify([iss, sub]);
}

// The session lives in this module: in development, a new version of it needs a new page.
import.meta.hot?.accept(() => window.location.reload());
