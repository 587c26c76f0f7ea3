// Detects closed windows and loaded frames of a sign-in.

import type { IWindow } from 'oidc-client-ts';

const WINDOW_POLL_INTERVAL_MS = 500;

/** Calls `onLost` once if the window of a sign-in can no longer be observed. Returns a function that stops it. */
export function watchWindow(handle: IWindow, onLost: () => void): () => void {
  const opened: unknown = Reflect.get(handle, '_window');
  const timer = setInterval(() => {
    if (!isClosed(opened)) return;
    clearInterval(timer);
    onLost();
  }, WINDOW_POLL_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Returns a function that detects any page in the frame, also one of another origin. */
export function watchFrame(handle: IWindow): () => boolean {
  const frame: unknown = Reflect.get(handle, '_frame');
  let loaded = false;
  if (frame instanceof HTMLIFrameElement) frame.addEventListener('load', () => (loaded = true), { once: true });
  return () => loaded;
}

function isClosed(opened: unknown): boolean {
  return typeof opened === 'object' && opened !== null && 'closed' in opened && opened.closed === true;
}
