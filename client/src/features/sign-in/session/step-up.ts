/**
 * Step-up authentication (RFC 9470): a change waits until the user has signed in again in a window, so that the page
 * keeps its state.
 */
import type { StepUpRequirement } from '../../../shared/api/auth-session';
import { createStore } from '../../../shared/create-store';
import type { SignInProblem } from '../oidc/sign-in-problem';
import { signInAgain } from './session';

/** `isStrong`: the sign-in must have a certain class. */
export type StepUpState =
  /** `lost`: the window can no longer be observed and may be closed. */
  | { kind: 'in-window'; isStrong: boolean; lost: boolean }
  | { kind: 'failed'; isStrong: boolean; problem: SignInProblem };

interface Waiting {
  requirement: StepUpRequirement;
  resolve: (done: boolean) => void;
}

let waiting: Waiting[] = [];
let openWindow: AbortController | null = null;

/** Null while no sign-in is required. */
export const stepUpState = createStore<StepUpState | null>(null);

/**
 * Concurrent changes share a window if its sign-in meets their requirements, and are served in turn if not. Returns
 * false if the user cancels.
 */
export function stepUp(requirement: StepUpRequirement): Promise<boolean> {
  return new Promise(resolve => {
    waiting.push({ requirement, resolve });
    // The click that caused the request is recent, so most browsers allow the window.
    if (waiting.length === 1) void openStepUpWindow();
  });
}

/** Must be called during a click if the window was blocked or closed. */
export async function openStepUpWindow(): Promise<void> {
  const requirement = strictest(waiting.map(each => each.requirement));
  if (!requirement) return;
  // The provider may still have the session of another account that has just signed in there.
  const state = stepUpState.get();
  const forced = state?.kind === 'failed' && state.problem.kind === 'otherAccount';
  const isStrong = requirement.acrValues !== undefined;
  stopWaiting();
  const { signal } = (openWindow = new AbortController());
  stepUpState.set({ kind: 'in-window', lost: false, isStrong });
  const onLost = () => {
    if (!signal.aborted) stepUpState.set({ kind: 'in-window', lost: true, isStrong });
  };
  const problem = await signInAgain({ ...requirement, forced }, signal, onLost);
  // The user cancelled or opened another window.
  if (signal.aborted) return;
  if (problem) stepUpState.set({ kind: 'failed', problem, isStrong });
  else continueChanges(requirement);
}

export function cancelStepUp(): void {
  stopWaiting();
  for (const { resolve } of waiting) resolve(false);
  waiting = [];
  stepUpState.set(null);
}

function continueChanges(met: StepUpRequirement): void {
  const permitted = waiting.filter(each => isMet(each.requirement, met));
  waiting = waiting.filter(each => !permitted.includes(each));
  stepUpState.set(null);
  for (const { resolve } of permitted) resolve(true);
  void openStepUpWindow();
}

/** Changes with other classes than the first ones get a later window. */
function strictest(requirements: readonly StepUpRequirement[]): StepUpRequirement | undefined {
  if (requirements.length === 0) return undefined;
  const ages = requirements.flatMap(({ maxAge }) => maxAge ?? []);
  return {
    maxAge: ages.length === 0 ? undefined : Math.min(...ages),
    acrValues: requirements.find(each => each.acrValues !== undefined)?.acrValues,
  };
}

function isMet({ maxAge, acrValues }: StepUpRequirement, met: StepUpRequirement): boolean {
  const isRecent = maxAge === undefined || (met.maxAge !== undefined && met.maxAge <= maxAge);
  return isRecent && (acrValues === undefined || acrValues === met.acrValues);
}

/** Aborts with the message by which sign-in-problem.ts recognizes a cancelled window. */
function stopWaiting(): void {
  openWindow?.abort('Popup aborted');
}

// This module has state.
import.meta.hot?.accept(() => window.location.reload());
