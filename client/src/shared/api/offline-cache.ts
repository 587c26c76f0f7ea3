/**
 * Keeps the editor's responses in `sessionStorage`, until the tab is closed or the user signs out. Disabled if tokens
 * must stay in memory.
 */
import { ApolloLink } from '@apollo/client';
import { catchError, of, tap, throwError } from 'rxjs';
import { toAppError } from './app-error';

const CACHED_OPERATIONS = {
  Instance: true,
  Viewer: true,
  WorkspaceHome: true,
  Tours: true,
  Themes: true,
  TourEditor: true,
};
const PREFIX = 'waypost:answer:';

/** Public queries may always be stored. */
let storesAccountData = false;

export function allowOfflineCache(allowed: boolean): void {
  storesAccountData = allowed;
  if (!allowed) clearOfflineCache();
}

export function clearOfflineCache(): void {
  try {
    for (const each of Object.keys(sessionStorage)) if (each.startsWith(PREFIX)) sessionStorage.removeItem(each);
  } catch {
    // Nothing to clear.
  }
}

/** Requests with `fresh` in their context bypass the offline cache. */
export const offlineCacheLink = new ApolloLink((operation, forward) => {
  const { anonymous, account, fresh } = operation.getContext();
  if (!Object.hasOwn(CACHED_OPERATIONS, operation.operationName ?? '') || fresh === true) return forward(operation);
  const key = `${PREFIX}${JSON.stringify([anonymous === true ? null : account, operation.operationName, operation.variables])}`;
  return forward(operation).pipe(
    tap(({ data, errors }) => {
      if (data && !errors?.length && (anonymous === true || storesAccountData)) write(key, data);
    }),
    catchError((error: unknown) => {
      const data = toAppError(error).kind === 'network' ? read(key) : null;
      return data ? of({ data }) : throwError(() => error);
    }),
  );
});

function write(key: string, data: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(data));
  } catch {
    // The client works without it.
  }
}

function read(key: string): Record<string, unknown> | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Record<string, unknown> | null;
  } catch {
    return null;
  }
}
