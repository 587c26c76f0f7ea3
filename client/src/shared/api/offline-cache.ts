/**
 * Answers at hand: what the way to the editor asks is kept in this tab's session store, beside the tokens, and answers again after a
 * reload that no server answers. It goes with the session: when the tab is closed, when somebody signs out, and it is not there
 * at all where the operator lets tokens stay in memory only.
 */
import { ApolloLink } from '@apollo/client';
import { catchError, of, tap, throwError } from 'rxjs';
import { toAppError } from './app-error';

/** The operations whose answers are kept. */
const KEPT = { Instance: true, Viewer: true, WorkspaceHome: true, Tours: true, Themes: true, TourEditor: true };
const PREFIX = 'waypost:answer:';

/** Whether answers for a person may stay in the store. What anybody may ask always may. */
let personal = false;

export function allowOfflineCache(allowed: boolean): void {
  personal = allowed;
  if (!allowed) clearOfflineCache();
}

export function clearOfflineCache(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // A store that is forbidden holds nothing.
  }
}

/** A request whose context says `fresh` wants the server's answer or none. */
export const offlineCacheLink = new ApolloLink((operation, forward) => {
  const { anonymous, person, fresh } = operation.getContext();
  if (!Object.hasOwn(KEPT, operation.operationName ?? '') || fresh === true) return forward(operation);
  const place = `${PREFIX}${JSON.stringify([anonymous === true ? null : person, operation.operationName, operation.variables])}`;
  return forward(operation).pipe(
    tap(({ data, errors }) => {
      if (data && !errors?.length && (anonymous === true || personal)) write(place, data);
    }),
    catchError((error: unknown) => {
      const data = toAppError(error).kind === 'network' ? read(place) : null;
      return data ? of({ data }) : throwError(() => error);
    }),
  );
});

function write(place: string, data: unknown): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(data));
  } catch {
    // A full or forbidden store keeps nobody from working while the server is there.
  }
}

function read(place: string): Record<string, unknown> | null {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') as Record<string, unknown> | null;
  } catch {
    return null;
  }
}
