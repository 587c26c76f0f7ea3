import type { User } from 'oidc-client-ts';
import type { ProvenRequest, StepUpRequirement } from '../../../shared/api/auth-session';
import { createStore } from '../../../shared/create-store';
import { accountKeyOf } from '../oidc/account-key';
import { FrameError } from '../oidc/checked-user-manager';
import type { SignOutResult } from '../oidc/provider-sign-out';
import {
  managerOf,
  prepareProviders,
  type Provider,
  rememberedProvider,
  rememberProvider,
  rememberProviderSession,
  wasUsedInTab,
} from '../oidc/providers';
import type { SafeUserManager } from '../oidc/safe-user-manager';
import { isTemporary, type SignInProblem, signInProblem, watchSlow } from '../oidc/sign-in-problem';
import { currentPath, saveReturnPath } from './return-to';

export interface ActiveProvider {
  provider: Provider;
  manager: SafeUserManager;
}

export type ManualRenewal = 'frame' | 'refresh-token' | 'window';

/** The least time between two renewals, even if the server rejects the new token. */
const MIN_RENEWAL_INTERVAL_MS = 60_000;

/** Used after temporary failures; the last one is repeated. */
const RETRY_DELAYS_MS = [5000, 10_000, 15_000];

/** The key in the store of the current token. */
const VALID_TOKENS = 'valid';

/** Set by the callback page if it received a response that it did not expect. */
const UNKNOWN_RESPONSE = 'waypost.unknown-response';

/** The time for which the server accepts expired tokens. */
const SERVER_LEEWAY_S = 60;

/** The limit of the wait for the provider's session when a page starts. */
const RESUME_TIMEOUT_S = 4;

let providers: readonly Provider[] = [];
let active: ActiveProvider | null = null;
let user: User | null = null;
let lastRenewal = 0;
let problem: SignInProblem | null = null;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let retryCount = 0;
let stopListening: () => void = () => {};
/** The tokens of this tab, including replaced ones, each with its end in milliseconds. */
const validTokens = new Map<string, number>();
/** The number of sign-outs and changes of the account. */
const signOuts = createStore(0);
/** The number of changes of the provider and of the problem. */
const changes = createStore(0);

const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('waypost.signed-out');

/** Access or ID token, with a prefix for the provider if needed; null if signed out or expired. */
export function accessToken(): string | null {
  return user && user.expired !== true ? tokenOf(user) : null;
}

function tokenOf(of: User): string | null {
  const token = active?.provider.token === 'ID_TOKEN' ? of.id_token : of.access_token;
  return token === undefined ? null : (active?.provider.tokenPrefix ?? '') + token;
}

/** Returns null if tokens of the provider are not bound to a key. */
export async function proofOf(token: string, request: ProvenRequest): Promise<string | null> {
  if (active?.provider.dpop !== true) return null;
  return active.manager.proofOf(token.slice(active.provider.tokenPrefix?.length ?? 0), request);
}

/** Returns a key also if the token has expired. */
export function currentAccountKey(): string | null {
  return user && accountKeyOf(user);
}

/**
 * Returns true if there is a token for a retry. Renews at most once a minute, to prevent a storm if the server rejects
 * every token.
 */
export async function renewSession(): Promise<boolean> {
  if (!active || !user) return false;
  if (accessToken() !== null && Date.now() - lastRenewal < MIN_RENEWAL_INTERVAL_MS) return true;
  const onSlow = () => {
    if (accessToken() === null) setProblem({ kind: 'slow' });
  };
  try {
    await watchSlow(active.manager.signinSilent(), onSlow);
    return accessToken() !== null;
  } catch (error) {
    setProblem(signInProblem(error, 'silent'));
    return false;
  }
}

/** Calls `callback` also for a sign-out in another tab, and for another account. */
export function onSignedOut(callback: () => void): () => void {
  return signOuts.subscribe(callback);
}

export async function beginSession(known: readonly Provider[]): Promise<void> {
  await prepareProviders(known);
  providers = known;
  const remembered = rememberedProvider(providers);
  const first = remembered ?? providers[0];
  if (!first) return;
  activate(first);
  await restoreTokens(managerOf(first));
  // First, so that a sign-out while the page starts also ends its session.
  otherTabs?.addEventListener('message', ({ data }) => {
    if (!user || data !== accountKeyOf(user)) return;
    endTokens();
    void active?.manager.removeUser();
  });
  // AuthProvider processes the response.
  if (window.location.pathname === '/auth/callback') await managerOf(first).claimTab();
  else {
    await resume(first, remembered !== null);
    explainUnknownResponse();
  }
  window.addEventListener('online', () => void wakeUp());
  document.addEventListener('visibilitychange', () => void wakeUp());
}

/** Stores the problem for the next page of this tab, which may find a session. */
export function reportUnknownResponse(): void {
  sessionStorage.setItem(UNKNOWN_RESPONSE, 'true');
}

/** A user who has just entered a password needs to know why the sign-in page is shown again. */
function explainUnknownResponse(): void {
  const isReported = sessionStorage.getItem(UNKNOWN_RESPONSE) !== null;
  sessionStorage.removeItem(UNKNOWN_RESPONSE);
  if (isReported && user === null && problem === null) setProblem({ kind: 'unknownState' });
}

async function resume(provider: Provider, usedBefore: boolean): Promise<void> {
  const manager = managerOf(provider);
  const claim = await manager.claimTab();
  setUser(await manager.getUser());
  if (accessToken() !== null) return;
  const hadSession = user !== null || wasUsedInTab(provider);
  if (!hadSession && !usedBefore && claim === 'owner') return;
  if (await manager.joinTabs()) rememberProvider(provider);
  if (accessToken() !== null) return;
  try {
    await manager.signinSilent({ silentRequestTimeoutInSeconds: RESUME_TIMEOUT_S });
    rememberProvider(provider);
  } catch (error) {
    const reason = signInProblem(error, 'silent');
    // Later, the refresh token may work.
    if (!isTemporary(reason)) await manager.removeUser();
    if (reason.kind === 'sessionEnded') {
      // After a temporary error, new tabs can still get a session.
      if (!(error instanceof FrameError)) rememberProvider(null);
    }
    // The user has tried nothing yet.
    else if (hadSession) setProblem(reason);
  }
}

/** Renews after sleep or an outage, in which the automatic renewal may have failed. */
async function wakeUp(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  if (isRetrying()) await retry();
  else if (user && accessToken() === null) await renewSession();
}

function isRetrying(): boolean {
  return problem !== null && isTemporary(problem);
}

/** Each tab recovers when the provider does. */
async function retry(): Promise<void> {
  try {
    await active?.manager.signinSilent();
  } catch (error) {
    // A window may have succeeded.
    if (isRetrying()) setProblem(signInProblem(error, 'silent'));
  }
}

export async function signInByRedirect(
  provider: Provider,
  returnTo = currentPath(),
  otherAccount = false,
): Promise<SignInProblem | null> {
  try {
    rememberProvider(provider);
    saveReturnPath(returnTo);
    const manager = managerOf(provider);
    const prompt = otherAccount ? { prompt: await manager.accountPrompt() } : {};
    await manager.signinRedirect({ state: { returnTo }, ...prompt });
    return null;
  } catch (error) {
    return signInProblem(error, 'interactive');
  }
}

/** `signal` stops waiting for the window. `onLost` is called if it was closed or can no longer be observed. */
export async function signInByPopup(
  provider: Provider,
  signal: AbortSignal,
  onLost: () => void = () => {},
): Promise<SignInProblem | null> {
  try {
    const manager = managerOf(provider);
    // Not awaited here, because browsers allow a window only during the click.
    const claim = manager.claimTab();
    // If this page is gone, the window continues.
    if (!user) rememberProvider(provider);
    // `popupAbortOnClose` treats a Cross-Origin-Opener-Policy as closed.
    await manager.signInByWindow(signal, onLost);
    await claim;
    rememberProvider(provider);
    activate(provider);
    setUser(await manager.getUser());
    return null;
  } catch (error) {
    return signInProblem(error, 'interactive');
  }
}

/** Does nothing if the last sign-in meets the requirement. See `signInByPopup` for `signal` and `onLost`. */
export async function signInAgain(
  request: StepUpRequirement & { forced: boolean },
  signal: AbortSignal,
  onLost: () => void,
): Promise<SignInProblem | null> {
  if (!active || !user) return { kind: 'sessionEnded' };
  try {
    await active.manager.signInByWindow(signal, onLost, { ...request, subject: user.profile.sub });
    return null;
  } catch (error) {
    return signInProblem(error, 'interactive');
  }
}

export async function renewManually(renewal: ManualRenewal, onLost: () => void): Promise<SignInProblem | null> {
  if (!active) return { kind: 'sessionEnded' };
  try {
    if (renewal === 'window') return await signInByPopup(active.provider, new AbortController().signal, onLost);
    await active.manager.signinSilent({ forceIframeAuth: renewal === 'frame' });
    return null;
  } catch (error) {
    return signInProblem(error, 'silent');
  }
}

/** Signs out this tab, the other tabs of the account, and the provider. */
export async function signOut(): Promise<SignOutResult> {
  if (!active) return 'ended';
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
  if (user) otherTabs?.postMessage(accountKeyOf(user));
  endTokens();
  rememberProvider(null);
  saveReturnPath(null);
  const { provider, manager } = active;
  const result = await manager.signOut();
  rememberProviderSession(result === 'local' ? provider : null);
  return result;
}

export async function signOutAndLeave(): Promise<void> {
  if ((await signOut()) !== 'provider') window.location.assign('/signed-out');
}

export function knownProviders(): readonly Provider[] {
  return providers;
}

export function activeProvider(): ActiveProvider | null {
  return active;
}

/** Null after a success. */
export function sessionProblem(): SignInProblem | null {
  return problem;
}

/** Calls `callback` when the result of `activeProvider` or `sessionProblem` changes. */
export function onSessionChanged(callback: () => void): () => void {
  return changes.subscribe(callback);
}

function activate(provider: Provider): void {
  if (active?.provider.id === provider.id) return;
  stopListening();
  setUser(null);
  const manager = managerOf(provider);
  const stops = [
    manager.events.addUserLoaded(onUserLoaded),
    manager.events.addUserUnloaded(() => setUser(null)),
    manager.events.addUserSignedOut(onProviderSignOut),
    manager.events.addSilentRenewError(error => setProblem(signInProblem(error, 'silent'))),
  ];
  stopListening = () => {
    for (const stop of stops) stop();
  };
  active = { provider, manager };
  changes.set(changes.get() + 1);
}

export async function endSession(token: string): Promise<void> {
  // The user may have signed in again.
  if (token === accessToken()) await onProviderSignOut();
}

async function onProviderSignOut(): Promise<void> {
  if (!active || !user) return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
  otherTabs?.postMessage(accountKeyOf(user));
  endTokens();
  rememberProvider(null);
  await active.manager.removeUser();
  // The sign-in page needs a reason.
  setProblem({ kind: 'sessionEnded' });
}

/**
 * Makes copies of this tab's tokens useless. Not all tokens name their session. Without a response, they remain valid
 * until they expire.
 */
function endTokens(): void {
  for (const token of validTokens.keys()) {
    const body = new URLSearchParams({ token });
    // A redirect may follow.
    void fetch('/auth/sign-out', { method: 'POST', body, keepalive: true }).catch(() => undefined);
  }
  forgetTokens();
}

/** Called for new tokens only, and not for those that a reload finds in storage. */
function onUserLoaded(next: User): void {
  lastRenewal = Date.now();
  setUser(next);
}

function setUser(next: User | null): void {
  const accountChanged = user !== null && (next === null || accountKeyOf(next) !== accountKeyOf(user));
  const tokenChanged = next !== null && next.access_token !== user?.access_token;
  user = next;
  // Other tabs may still use it.
  if (accountChanged) forgetTokens();
  if (tokenChanged) {
    rememberToken(next);
    rememberProviderSession(null);
  }
  if (tokenChanged || next === null) setProblem(null);
  if (accountChanged) signOuts.set(signOuts.get() + 1);
}

function rememberToken(of: User): void {
  const token = tokenOf(of);
  if (token === null) return;
  for (const [other, end] of validTokens) if (end < Date.now()) validTokens.delete(other);
  validTokens.set(token, ((of.expires_at ?? Infinity) + SERVER_LEEWAY_S) * 1000);
  void active?.manager.settings.userStore.set(VALID_TOKENS, JSON.stringify([...validTokens]));
}

async function restoreTokens(manager: SafeUserManager): Promise<void> {
  const stored = await manager.settings.userStore.get(VALID_TOKENS);
  if (!stored) return;
  // A duplicate's tokens belong to the original.
  if ((await manager.claimTab()) === 'copy') forgetTokens();
  else for (const [token, end] of JSON.parse(stored) as [string, number][]) validTokens.set(token, end);
}

function forgetTokens(): void {
  validTokens.clear();
  void active?.manager.settings.userStore.remove(VALID_TOKENS);
}

function setProblem(next: SignInProblem | null): void {
  clearTimeout(retryTimer);
  if (next === null || !isTemporary(next)) retryCount = 0;
  else {
    const delay = RETRY_DELAYS_MS[Math.min(retryCount, RETRY_DELAYS_MS.length - 1)];
    retryTimer = setTimeout(() => void retry(), delay);
    retryCount += 1;
  }
  if (next === problem) return;
  problem = next;
  changes.set(changes.get() + 1);
}

// This module has state.
import.meta.hot?.accept(() => window.location.reload());
