import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, print, type DocumentNode } from 'graphql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as operations from '../../generated/hooks';
import { toAppError } from './app-error';
import { connectAuthSession, type StepUpRequirement } from './auth-session';
import { makeClient } from './client';

interface Sent {
  url: URL;
  method: string | undefined;
  body: unknown;
  headers: Headers;
}

function setUp(...responses: (() => Response)[]) {
  const sent: Sent[] = [];
  const fetch = vi.fn(async (url: unknown, init?: RequestInit) => {
    const body: unknown = init?.body === undefined ? null : JSON.parse(String(init.body));
    sent.push({ url: new URL(String(url)), method: init?.method, body, headers: new Headers(init?.headers) });
    const response = responses[Math.min(sent.length, responses.length) - 1];
    if (!response) throw new TypeError('Failed to fetch');
    return response();
  });
  return { sent, client: makeClient({ uri: 'http://localhost/graphql', fetch: fetch as typeof globalThis.fetch }) };
}

const json =
  (value: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
const refused = json({ data: null, errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] });
const renamed = json({ data: { workspaceRename: { __typename: 'Workspace', id: 'w', name: 'New', version: 2 } } });
const variables = { id: 'w', expectedVersion: 1, name: 'New' };
const rename = { mutation: operations.WorkspaceRename, variables } as const;

afterEach(() => vi.useRealTimers());

describe('a request', () => {
  it('follows GraphQL over HTTP: three members, accept */*, JSON', async () => {
    const { sent, client } = setUp(renamed);
    await client.mutate(rename);
    const [request] = sent;
    expect(Object.keys(request?.body ?? {})).toEqual(['operationName', 'variables', 'query']);
    expect(request?.body).toMatchObject({ operationName: 'WorkspaceRename', variables });
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({ accept: '*/*', 'content-type': 'application/json' });
  });

  it('for a public query is a GET with the hash of the manifest', async () => {
    const path = join(import.meta.dirname, '../../../../operations/generated/manifest.json');
    const { operations: trusted } = JSON.parse(readFileSync(path, 'utf8')) as {
      operations: { id: string; name: string; public?: boolean }[];
    };
    expect(trusted.filter(each => each.public).map(each => each.name)).toEqual(['Instance']);
    const { sent, client } = setUp(json({ errors: [{ message: 'x', extensions: { code: 'NOT_FOUND' } }] }));
    await client.query({ query: operations.Instance, context: { anonymous: true } }).catch(() => undefined);
    const [request] = sent;
    expect(request).toMatchObject({ method: 'GET', body: null });
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      operationName: 'Instance',
      variables: '{}',
      extensions: JSON.stringify({
        persistedQuery: { version: 1, sha256Hash: trusted.find(each => each.name === 'Instance')?.id },
      }),
    });
  });

  it('has the token of the session unless it is anonymous', async () => {
    const disconnect = connectAuthSession({
      accountKey: () => 'ada',
      token: async () => 'abc',
      renew: async () => null,
    });
    const { sent, client } = setUp(renamed);
    await client.mutate(rename);
    await client.mutate({ ...rename, context: { anonymous: true } });
    disconnect();
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer abc', null]);
  });
});

describe('a request of an account that is no longer signed in', () => {
  function sharedSession() {
    let account = 'ada';
    const bobSignsIn = () => {
      account = 'bob';
    };
    const disconnect = connectAuthSession({
      accountKey: () => account,
      token: async () => account,
      renew: async () => {
        bobSignsIn();
        return account;
      },
    });
    return { bobSignsIn, disconnect };
  }
  const failureOf = async (run: Promise<unknown>) =>
    toAppError(
      await run.then(
        () => null,
        (error: unknown) => error,
      ),
    ).kind;

  it('is not repeated with the token of another account', async () => {
    const { disconnect } = sharedSession();
    const { sent, client } = setUp(refused, renamed);
    expect(await failureOf(client.mutate(rename))).toBe('aborted');
    disconnect();
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer ada']);
  });

  it('is not sent if its context names that account', async () => {
    const { bobSignsIn, disconnect } = sharedSession();
    const { sent, client } = setUp(renamed);
    bobSignsIn();
    expect(await failureOf(client.mutate({ ...rename, context: { account: 'ada' } }))).toBe('aborted');
    disconnect();
    expect(sent).toEqual([]);
  });

  it('does not write its response to the cache', async () => {
    const { bobSignsIn, disconnect } = sharedSession();
    const { client } = setUp(() => {
      bobSignsIn();
      return renamed();
    });
    expect(await failureOf(client.mutate(rename))).toBe('aborted');
    disconnect();
    expect(client.cache.extract()).toEqual({});
  });
});

describe('a change that requires a recent sign-in', () => {
  const extensions = { code: 'STEP_UP_REQUIRED', slots: { seconds: '300', acr: 'phrh phr' } };
  const tooOld = json({ data: null, errors: [{ message: 'x', extensions }] });

  function sessionThat(signsInAgain: boolean) {
    let token = 'old';
    const stepUp = vi.fn(async (_: StepUpRequirement) => {
      if (signsInAgain) token = 'recent';
      return signsInAgain;
    });
    const disconnect = connectAuthSession({ accountKey: () => 'ada', token: async () => token, stepUp });
    return { stepUp, disconnect };
  }

  it('is repeated once with the token of the new sign-in', async () => {
    const { stepUp, disconnect } = sessionThat(true);
    const { sent, client } = setUp(tooOld, renamed);
    const { data } = await client.mutate(rename);
    disconnect();
    expect(data?.workspaceRename.name).toBe('New');
    expect(stepUp.mock.calls).toEqual([[{ maxAge: 300, acrValues: 'phrh phr' }]]);
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer old', 'Bearer recent']);
  });

  it.each([
    ['the user cancels', false, 1],
    ['the new sign-in is not accepted either', true, 2],
  ])('fails if %s', async (_, signsInAgain, requests) => {
    const { stepUp, disconnect } = sessionThat(signsInAgain);
    const { sent, client } = setUp(tooOld);
    const error = await client.mutate(rename).catch(toAppError);
    disconnect();
    expect(error).toMatchObject({ kind: 'graphql', code: 'STEP_UP_REQUIRED' });
    expect(stepUp).toHaveBeenCalledOnce();
    expect(sent).toHaveLength(requests);
  });
});

describe('a rejected token', () => {
  it('is renewed once, and the request is repeated with the new token', async () => {
    const tokens = ['old', 'new'];
    const disconnect = connectAuthSession({
      accountKey: () => 'ada',
      token: async () => tokens[0] ?? null,
      renew: async () => tokens.splice(0, 1) && 'new',
    });
    const { sent, client } = setUp(refused, renamed);
    const { data } = await client.mutate(rename);
    disconnect();
    expect(data?.workspaceRename.name).toBe('New');
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
  });

  it('is not renewed if the session ended elsewhere', async () => {
    const [renew, end] = [vi.fn(async () => 'new'), vi.fn(async (_token: string) => {})];
    const disconnect = connectAuthSession({ accountKey: () => 'ada', token: async () => 'old', renew, end });
    const extensions = { code: 'UNAUTHENTICATED', sessionEnded: true };
    const { sent, client } = setUp(json({ errors: [{ message: 'x', extensions }] }, 401));
    const error = await client.mutate(rename).catch(toAppError);
    disconnect();
    expect(error).toMatchObject({ kind: 'graphql', code: 'UNAUTHENTICATED' });
    expect(end.mock.calls).toEqual([['old']]);
    expect(renew).not.toHaveBeenCalled();
    expect(sent).toHaveLength(1);
  });

  it('is reported to the screen if the new token is rejected, too', async () => {
    const disconnect = connectAuthSession({
      accountKey: () => 'ada',
      token: async () => 'old',
      renew: async () => 'new',
    });
    const { sent, client } = setUp(refused);
    const error = await client.mutate(rename).catch(toAppError);
    disconnect();
    expect(error).toMatchObject({ kind: 'graphql', code: 'UNAUTHENTICATED' });
    expect(sent).toHaveLength(2);
  });
});

describe('an unreachable server', () => {
  it('causes a query to be retried a few times', async () => {
    vi.useFakeTimers();
    const { sent, client } = setUp();
    const result = client.query({ query: operations.Viewer }).catch(toAppError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await result).toMatchObject({ kind: 'network' });
    expect(sent).toHaveLength(4);
  });

  it('never causes a mutation to be retried', async () => {
    const { sent, client } = setUp();
    expect(await client.mutate(rename).catch(toAppError)).toMatchObject({ kind: 'network' });
    expect(sent).toHaveLength(1);
  });
});

describe('a rate limit', () => {
  it('causes a query to be retried after its delay', async () => {
    vi.useFakeTimers();
    const busy = json({
      data: null,
      errors: [{ message: 'x', extensions: { code: 'RATE_LIMITED', slots: { seconds: '7' } } }],
    });
    const account = { __typename: 'Account', id: 'a', name: 'Ada', email: null, avatarUrl: null };
    const viewer = { __typename: 'Viewer', account, mayCreateWorkspaces: true, memberships: [] };
    const { sent, client } = setUp(busy, json({ data: { viewer } }));
    const result = client.query({ query: operations.Viewer });
    await vi.advanceTimersByTimeAsync(6900);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect((await result).data?.viewer.account.name).toBe('Ada');
  });
});

describe('the text of an operation', () => {
  const isOperation = (value: unknown): value is DocumentNode =>
    typeof value === 'object' &&
    value !== null &&
    'definitions' in value &&
    (value as DocumentNode).definitions.some(each => each.kind === Kind.OPERATION_DEFINITION);

  // The server accepts the definitions in any order.
  const sorted = (text: string | undefined) => text?.split('\n\n').sort();

  it('equals the trusted document', () => {
    const manifest = join(import.meta.dirname, '../../../../operations/generated/manifest.json');
    expect(existsSync(manifest), 'Run `cargo traitql generate` to write the manifest.').toBe(true);
    const trusted: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    const bodies = new Map(
      (trusted as { operations: { name: string; body: string }[] }).operations.map(each => [each.name, each.body]),
    );
    const { client } = setUp(renamed);
    for (const [name, document] of Object.entries(operations)) {
      if (!isOperation(document)) continue;
      const text = print(client.cache.transformDocument(document));
      expect(sorted(text), name).toEqual(sorted(bodies.get(name)));
    }
  });
});
