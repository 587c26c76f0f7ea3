import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/**
 * Whether this tab is in front. Live streams are closed in hidden tabs: over HTTP/1.1 a browser opens six connections to
 * a server for all tabs together, and each stream holds one.
 */
export const useVisible = (): boolean => useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
