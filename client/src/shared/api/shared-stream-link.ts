import { ApolloLink } from '@apollo/client';
import { OperationTypeNode, print } from 'graphql';
import { Observable, type Subscription } from 'rxjs';

/** `again` if the result was sent before, which only a window that has none needs. */
type Message = { join: true } | { data: NonNullable<ApolloLink.Result['data']>; again?: true };

/**
 * Shares the stream of a subscription among all windows of the browser that have it, because a browser opens six
 * HTTP/1.1 connections per server. The window with the lock has the stream and sends its results to the others.
 */
export const sharedStreamLink = new ApolloLink((operation, forward) => {
  if (operation.operationType !== OperationTypeNode.SUBSCRIPTION || !navigator.locks) return forward(operation);
  // The text differs if a window has an earlier version of the client.
  const name = JSON.stringify([operation.getContext()['account'], operation.variables, print(operation.query)]);
  return new Observable<ApolloLink.Result>(observer => {
    const channel = new BroadcastChannel(name);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has its own origin only
    const post = (message: Message) => channel.postMessage(message);
    const unsubscribed = new AbortController();
    let stream: Subscription | undefined;
    let latest: Extract<Message, { data: unknown }> | undefined;
    let hasResult = false;
    channel.addEventListener('message', ({ data: message }: MessageEvent<Message>) => {
      if (!('data' in message)) {
        if (latest) post({ ...latest, again: true });
      } else if (!message.again || !hasResult) {
        hasResult = true;
        observer.next({ data: message.data });
      }
    });
    post({ join: true });
    const run = () =>
      new Promise<void>(release => {
        if (unsubscribed.signal.aborted) return release();
        stream = forward(operation).subscribe({
          next: result => {
            // A window whose stream fails makes its own request.
            if (result.data && !result.errors?.length) post((latest = { data: result.data }));
            observer.next(result);
          },
          error: (error: unknown) => observer.error(error),
          complete: () => observer.complete(),
        });
        stream.add(release);
      });
    navigator.locks.request(name, { signal: unsubscribed.signal }, run).catch((error: unknown) => {
      if (!unsubscribed.signal.aborted) observer.error(error);
    });
    return () => {
      unsubscribed.abort();
      stream?.unsubscribe();
      channel.close();
    };
  });
});
