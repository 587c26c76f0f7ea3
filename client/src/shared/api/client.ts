/**
 * The one Apollo Client. A request is exactly what GraphQL over HTTP asks for: POST, `accept: *`, a JSON body of
 * `operationName`, `variables` and `query`. Subscriptions use the same endpoint and add the multipart media type. Queries
 * that anybody may ask go by GET and by their hash.
 */
import { ApolloClient, ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { BaseHttpLink } from '@apollo/client/link/http';
import { RetryLink } from '@apollo/client/link/retry';
import { Kind, OperationTypeNode, type ASTNode, type DefinitionNode } from 'graphql';
import { EMPTY, defer, from, map, repeat, switchMap, tap, throwError, timer } from 'rxjs';
import { publicQueries } from '../../generated/cache';
import { markTransportError, toAppError } from './app-error';
import { authSession } from './auth-session';
import { makeCache } from './cache';
import { connection, reportDown, reportUp } from './connection';
import { offlineCacheLink } from './offline-cache';

const MAX_ATTEMPTS = 4;

export function makeClient(options: { uri?: string; fetch?: typeof fetch } = {}): ApolloClient {
  return new ApolloClient({
    cache: makeCache(),
    link: ApolloLink.from([
      belong,
      resume,
      retry,
      offlineCacheLink,
      raise,
      report,
      renew,
      authorize,
      keep,
      mark,
      http(options),
    ]),
    defaultOptions: { watchQuery: { notifyOnNetworkStatusChange: true } },
    devtools: { enabled: import.meta.env.DEV },
  });
}

/** `BaseHttpLink` is `HttpLink` without client awareness: it adds no `extensions` and no headers of its own. */
const http = ({ uri = '/graphql', fetch }: { uri?: string; fetch?: typeof globalThis.fetch }) =>
  new BaseHttpLink({
    uri,
    headers: { accept: '*/*' },
    print: (node, print) => print(inManifestOrder(node)),
    ...(fetch ? { fetch } : {}),
  });

/** The browser keeps the answers of public queries, asks each time whether they still hold, and is told so without a body. */
const keep = new ApolloLink((operation, forward) => {
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

const mark = new ApolloLink((operation, forward) => forward(operation).pipe(tap({ error: markTransportError })));

/** Requests with `anonymous` in their context go without a token: sign-in itself asks for the providers before there is one. */
const authorize = new SetContextLink(async context => {
  if (context['anonymous'] === true) return {};
  const token = await authSession.token();
  stopForOthers(context['person']);
  const headers: Record<string, string> = { ...context['headers'] };
  if (token) headers['authorization'] = `Bearer ${token}`;
  return { headers };
});

/**
 * A request belongs to whoever was signed in when it began, or to the `person` that its context names. Waiting for a
 * token can take until somebody else has signed in at the same tab: then it is not sent, and an answer that comes later
 * is not kept.
 */
const belong = new ApolloLink((operation, forward) => {
  const { anonymous, person = authSession.person() } = operation.getContext();
  if (anonymous === true) return forward(operation);
  operation.setContext({ person });
  return forward(operation).pipe(tap(() => stopForOthers(person)));
});

function stopForOthers(person: unknown): void {
  if (typeof person !== 'string' || person === authSession.person()) return;
  throw new DOMException('The person who began this request is no longer signed in.', 'AbortError');
}

/** A refused token is renewed once; when that fails, the refusal goes on to the screen. */
const renew = new ErrorLink(({ error, operation, forward }) => {
  if (toAppError(error).code !== 'UNAUTHENTICATED' || operation.getContext()['anonymous'] === true) return undefined;
  return from(authSession.renew()).pipe(switchMap(token => (token ? forward(operation) : throwError(() => error))));
});

/** Mutations are never repeated on their own: whether to do something twice is for a person to decide. */
const retry = new RetryLink({
  attempts: (attempt, operation, error) => {
    if (operation.operationType === OperationTypeNode.MUTATION) return false;
    if (!toAppError(error).retryable) return false;
    return operation.operationType === OperationTypeNode.SUBSCRIPTION || attempt < MAX_ATTEMPTS;
  },
  delay: (attempt, _, error) => toAppError(error).retryAfterMs ?? Math.min(15_000, 300 * 2 ** attempt) * jitter(),
});

/** An answer that says "later" is a failure that the retry link repeats like any other; without data there is nothing to lose. */
const raise = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map(result => {
      if (operation.operationType !== OperationTypeNode.QUERY || !result.errors?.length || result.data) return result;
      const error = new CombinedGraphQLErrors(result);
      if (toAppError(error).retryable) throw error;
      return result;
    }),
  ),
);

const RESUME_AFTER = 2000;

/** A server that is shut down ends its streams properly. They begin again, unless they ended with a refusal. */
const resume = new ApolloLink((operation, forward) => {
  if (operation.operationType !== OperationTypeNode.SUBSCRIPTION) return forward(operation);
  let refused = false;
  return defer(() => forward(operation)).pipe(
    tap(result => {
      refused = (result.errors?.length ?? 0) > 0;
    }),
    repeat({ delay: () => (refused ? EMPTY : timer(RESUME_AFTER)) }),
  );
});

const jitter = () => 0.5 + Math.random() / 2;

/** Every answer says that the server is there; a missing one says that it is not. */
const report = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    tap({
      next: () => reportUp(),
      error: (error: unknown) => {
        const failure = toAppError(error);
        if (failure.kind === 'network') reportDown(failure);
        else if (failure.kind !== 'aborted' && connection().state === 'down') reportUp();
      },
    }),
  ),
);

/** Trusted documents are known by their text: the operation first, then its fragments by name. */
export function inManifestOrder(node: ASTNode): ASTNode {
  if (node.kind !== Kind.DOCUMENT) return node;
  const nameOf = (each: DefinitionNode) => (each.kind === Kind.FRAGMENT_DEFINITION ? each.name.value : '');
  const definitions = [...node.definitions].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { ...node, definitions };
}

export const client = makeClient();
