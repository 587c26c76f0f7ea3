import { ApolloClient, ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { BaseHttpLink } from '@apollo/client/link/http';
import { RetryLink } from '@apollo/client/link/retry';
import { OperationTypeNode } from 'graphql';
import { EMPTY, defer, from, map, repeat, switchMap, tap, throwError, timer } from 'rxjs';
import { publicQueries } from '../../generated/cache';
import { markTransportError, toAppError } from './app-error';
import { authSession } from './auth-session';
import { makeCache } from './cache';
import { connection, reportDown, reportUp } from './connection';
import { offlineCacheLink } from './offline-cache';
import { provingFetch } from './proving-fetch';
import { sharedStreamLink } from './shared-stream-link';

const MAX_ATTEMPTS = 4;

export function makeClient(options: { uri?: string; fetch?: typeof fetch } = {}): ApolloClient {
  return new ApolloClient({
    cache: makeCache(),
    link: ApolloLink.from([
      accountLink,
      sharedStreamLink,
      resubscribeLink,
      retryLink,
      offlineCacheLink,
      throwRetryableLink,
      connectionLink,
      stepUpLink,
      renewTokenLink,
      authorizationLink,
      publicQueryLink,
      markErrorsLink,
      httpLink(options),
    ]),
    defaultOptions: { watchQuery: { notifyOnNetworkStatusChange: true } },
    devtools: { enabled: import.meta.env.DEV },
  });
}

/** Has no client awareness, which adds `extensions` and headers. */
const httpLink = ({ uri = '/graphql', fetch }: { uri?: string; fetch?: typeof globalThis.fetch }) =>
  new BaseHttpLink({
    uri,
    headers: { accept: '*/*' },
    fetch: provingFetch(fetch),
  });

/** The browser caches and revalidates them. */
const publicQueryLink = new ApolloLink((operation, forward) => {
  const sha256Hash = publicQueries[operation.operationName ?? ''];
  if (sha256Hash) {
    operation.extensions['persistedQuery'] = { version: 1, sha256Hash };
    const { http, fetchOptions } = operation.getContext();
    operation.setContext({
      http: { ...http, includeQuery: false, includeExtensions: true },
      fetchOptions: { ...fetchOptions, method: 'GET' },
    });
  }
  return forward(operation);
});

const markErrorsLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(tap({ error: markTransportError })),
);

/**
 * Adds the access token, except to requests with `anonymous` in their context, such as sign-in's query for providers.
 */
const authorizationLink = new SetContextLink(async context => {
  if (context['anonymous'] === true) return {};
  const token = await authSession.token();
  abortIfAccountChanged(context['account']);
  const headers: Record<string, string> = { ...context['headers'] };
  if (token) headers['authorization'] = `Bearer ${token}`;
  return { headers };
});

/** If another account signs in, a waiting request is not sent, and a response is dropped. */
const accountLink = new ApolloLink((operation, forward) => {
  const { anonymous, account = authSession.accountKey() } = operation.getContext();
  if (anonymous === true) return forward(operation);
  operation.setContext({ account });
  return forward(operation).pipe(tap(() => abortIfAccountChanged(account)));
});

function abortIfAccountChanged(account: unknown): void {
  if (typeof account !== 'string' || account === authSession.accountKey()) return;
  throw new DOMException('The account that started this request is no longer signed in.', 'AbortError');
}

/**
 * Repeats the request with a renewed token, once. A session that ended elsewhere is not renewed, although a refresh
 * token might still work.
 */
const renewTokenLink = new ErrorLink(({ error, operation, forward }) => {
  const failure = toAppError(error);
  const { anonymous, headers } = operation.getContext();
  if (failure.code !== 'UNAUTHENTICATED' || anonymous === true) return undefined;
  if (failure.sessionEnded === true) {
    const token = String(headers?.['authorization']).replace('Bearer ', '');
    return from(authSession.end(token)).pipe(switchMap(() => throwError(() => error)));
  }
  return from(authSession.renew()).pipe(switchMap(token => (token ? forward(operation) : throwError(() => error))));
});

/** Repeats the request once after the user has signed in again. */
const stepUpLink = new ErrorLink(({ error, operation, forward }) => {
  const failure = toAppError(error);
  if (failure.kind !== 'graphql' || failure.code !== 'STEP_UP_REQUIRED') return undefined;
  const { seconds, acr } = failure.slots;
  const requirement = { maxAge: seconds === undefined ? undefined : Number(seconds), acrValues: acr };
  return from(authSession.stepUp(requirement)).pipe(
    switchMap(done => (done ? forward(operation) : throwError(() => error))),
  );
});

/** Mutations may not be idempotent. */
const retryLink = new RetryLink({
  attempts: (attempt, operation, error) => {
    if (operation.operationType === OperationTypeNode.MUTATION) return false;
    if (!toAppError(error).retryable) return false;
    return operation.operationType === OperationTypeNode.SUBSCRIPTION || attempt < MAX_ATTEMPTS;
  },
  delay: (attempt, _, error) => toAppError(error).retryAfterMs ?? Math.min(15_000, 300 * 2 ** attempt) * jitter(),
});

/** The retry link only handles thrown errors. */
const throwRetryableLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map(result => {
      if (operation.operationType !== OperationTypeNode.QUERY || !result.errors?.length || result.data) return result;
      const error = new CombinedGraphQLErrors(result);
      if (toAppError(error).retryable) throw error;
      return result;
    }),
  ),
);

const RESUBSCRIBE_DELAY_MS = 2000;

/** Subscribes again when a stream completes, as it does when the server shuts down. */
const resubscribeLink = new ApolloLink((operation, forward) => {
  if (operation.operationType !== OperationTypeNode.SUBSCRIPTION) return forward(operation);
  let refused = false;
  return defer(() => forward(operation)).pipe(
    tap(result => {
      refused = (result.errors?.length ?? 0) > 0;
    }),
    repeat({ delay: () => (refused ? EMPTY : timer(RESUBSCRIBE_DELAY_MS)) }),
  );
});

const jitter = () => 0.5 + Math.random() / 2;

const connectionLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    tap({
      next: () => reportUp(),
      error: (error: unknown) => {
        const failure = toAppError(error);
        if (failure.kind === 'network') reportDown(failure);
        else if (failure.kind !== 'aborted' && connection.get().state === 'down') reportUp();
      },
    }),
  ),
);

export const client = makeClient();
