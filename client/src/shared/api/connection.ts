import { useSyncExternalStore } from 'react';
import type { AppError } from './app-error';

export type Connection = { readonly state: 'up' } | { readonly state: 'down'; readonly error: AppError };

const up: Connection = { state: 'up' };
let current: Connection = up;
const listeners = new Set<() => void>();

function set(next: Connection): void {
  if (current.state === 'up' && next.state === 'up') return;
  current = next;
  for (const listener of listeners) listener();
}

export const reportDown = (error: AppError): void => set({ state: 'down', error });
export const reportUp = (): void => set(up);

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const connection = (): Connection => current;

export const useConnection = (): Connection => useSyncExternalStore(subscribeConnection, connection);
