import { useSyncExternalStore } from 'react';
import { createStore } from '../create-store';
import type { AppError } from './app-error';

export type Connection = { readonly state: 'up' } | { readonly state: 'down'; readonly error: AppError };

const up: Connection = { state: 'up' };

export const connection = createStore<Connection>(up);

export const reportDown = (error: AppError): void => connection.set({ state: 'down', error });

export const reportUp = (): void => {
  if (connection.get().state === 'down') connection.set(up);
};

export const useConnection = (): Connection => useSyncExternalStore(connection.subscribe, connection.get);
