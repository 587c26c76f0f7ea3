/** A change waits for a new sign-in in a window (RFC 9470), so that the page keeps its state. */
import { signInAgain } from './session';
import type { SignInProblem } from './sign-in-problem';

export type StepUpState =
  /** `lost`: cannot be observed, and may be closed. */
  { kind: 'in-window'; lost: boolean } | { kind: 'failed'; problem: SignInProblem };

interface Pending {
  maxAge: number;
  done: Promise<boolean>;
  resolve: (done: boolean) => void;
  window: AbortController;
}

let pending: Pending | null = null;
let state: StepUpState | null = null;
const listeners = new Set<() => void>();

/**
 * Opens the provider's sign-in in a window if the last sign-in is older than `maxAge` seconds. Concurrent callers share
 * one window. Returns false if the user cancels.
 */
export function stepUp(maxAge: number): Promise<boolean> {
  if (!pending) {
    let resolve: (done: boolean) => void = () => {};
    const done = new Promise<boolean>(settle => (resolve = settle));
    pending = { maxAge, done, resolve, window: new AbortController() };
    // Most browsers allow it after the recent click.
    void openStepUpWindow();
  }
  return pending.done;
}

/** Opens the window, again if it was blocked or closed. Must be called during a click then. */
export async function openStepUpWindow(): Promise<void> {
  if (!pending) return;
  // The provider may still have the session of another account that has just signed in there.
  const forced = state?.kind === 'failed' && state.problem.kind === 'otherAccount';
  stopWaiting(pending.window);
  const waiting = new AbortController();
  pending.window = waiting;
  show({ kind: 'in-window', lost: false });
  const onLost = () => {
    if (!waiting.signal.aborted) show({ kind: 'in-window', lost: true });
  };
  const problem = await signInAgain({ maxAge: pending.maxAge, forced }, waiting.signal, onLost);
  // Cancelled, or another window.
  if (waiting.signal.aborted) return;
  if (problem) show({ kind: 'failed', problem });
  else finish(true);
}

export function cancelStepUp(): void {
  if (pending) stopWaiting(pending.window);
  finish(false);
}

/** Null if none is pending. */
export function stepUpState(): StepUpState | null {
  return state;
}

export function onStepUpChanged(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

function finish(done: boolean): void {
  pending?.resolve(done);
  pending = null;
  show(null);
}

function show(next: StepUpState | null): void {
  state = next;
  for (const callback of listeners) callback();
}

/** sign-in-problem.ts recognizes the message. */
function stopWaiting(waiting: AbortController): void {
  waiting.abort('Popup aborted');
}

// This module has state.
import.meta.hot?.accept(() => window.location.reload());
