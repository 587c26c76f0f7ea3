import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, print, type DocumentNode } from 'graphql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as operations from '../../generated/hooks';
import { toAppError } from './app-error';
import { connectAuthSession } from './auth-session';
import { inManifestOrder, makeClient } from './client';

interface Sent {
  url: URL;
  method: string | undefined;
  body: unknown;
  headers: Headers;
}

/** A client whose server answers what the test says, and the requests that it got. */
function serverThat(...answers: (() => Response)[]) {
  const sent: Sent[] = [];
  const fetch = vi.fn(async (url: unknown, init?: RequestInit) => {
    const body: unknown = init?.body === undefined ? null : JSON.parse(String(init.body));
    sent.push({ url: new URL(String(url)), method: init?.method, body, headers: new Headers(init?.headers) });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
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
  it('is the specification’s: three members, accept */*, JSON', async () => {
    const { sent, client } = serverThat(renamed);
    await client.mutate(rename);
    const [request] = sent;
    expect(Object.keys(request?.body ?? {})).toEqual(['operationName', 'variables', 'query']);
    expect(request?.body).toMatchObject({ operationName: 'WorkspaceRename', variables });
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({ accept: '*/*', 'content-type': 'application/json' });
  });

  it('for what anybody may ask is a GET with the hash that the manifest has', async () => {
    const path = join(import.meta.dirname, '../../../../operations/generated/manifest.json');
    const { operations: trusted } = JSON.parse(readFileSync(path, 'utf8')) as {
      operations: { id: string; name: string; public?: boolean }[];
    };
    expect(trusted.filter(each => each.public).map(each => each.name)).toEqual(['Instance']);
    const { sent, client } = serverThat(json({ errors: [{ message: 'x', extensions: { code: 'NOT_FOUND' } }] }));
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

  it('carries the token of the session, unless it is anonymous', async () => {
    const disconnect = connectAuthSession({ person: () => 'ada', token: async () => 'abc', renew: async () => null });
    const { sent, client } = serverThat(renamed);
    await client.mutate(rename);
    await client.mutate({ ...rename, context: { anonymous: true } });
    disconnect();
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer abc', null]);
  });
});

describe('a request of somebody who is no longer signed in', () => {
  /** A session that Bob takes over from Ada at the point that the test names. */
  function shared() {
    let who = 'ada';
    const bobSignsIn = () => {
      who = 'bob';
    };
    const disconnect = connectAuthSession({
      person: () => who,
      token: async () => who,
      renew: async () => {
        bobSignsIn();
        return who;
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

  it('is not repeated with the token of the next person', async () => {
    const { disconnect } = shared();
    const { sent, client } = serverThat(refused, renamed);
    expect(await failureOf(client.mutate(rename))).toBe('aborted');
    disconnect();
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer ada']);
  });

  it('is not sent when its context names that person', async () => {
    const { bobSignsIn, disconnect } = shared();
    const { sent, client } = serverThat(renamed);
    bobSignsIn();
    expect(await failureOf(client.mutate({ ...rename, context: { person: 'ada' } }))).toBe('aborted');
    disconnect();
    expect(sent).toEqual([]);
  });

  it('leaves its answer out of the cache', async () => {
    const { bobSignsIn, disconnect } = shared();
    const { client } = serverThat(() => {
      bobSignsIn();
      return renamed();
    });
    expect(await failureOf(client.mutate(rename))).toBe('aborted');
    disconnect();
    expect(client.cache.extract()).toEqual({});
  });
});

describe('a refused token', () => {
  it('is renewed once, and the request sent again with the new one', async () => {
    const tokens = ['old', 'new'];
    const disconnect = connectAuthSession({
      person: () => 'ada',
      token: async () => tokens[0] ?? null,
      renew: async () => tokens.splice(0, 1) && 'new',
    });
    const { sent, client } = serverThat(refused, renamed);
    const { data } = await client.mutate(rename);
    disconnect();
    expect(data?.workspaceRename.name).toBe('New');
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
  });

  it('is told to the screen when the new one is refused too', async () => {
    const disconnect = connectAuthSession({ person: () => 'ada', token: async () => 'old', renew: async () => 'new' });
    const { sent, client } = serverThat(refused);
    const error = await client.mutate(rename).catch(toAppError);
    disconnect();
    expect(error).toMatchObject({ kind: 'graphql', code: 'UNAUTHENTICATED' });
    expect(sent).toHaveLength(2);
  });
});

describe('a server that does not answer', () => {
  it('is asked again for a query, a few times', async () => {
    vi.useFakeTimers();
    const { sent, client } = serverThat();
    const asked = client.query({ query: operations.Viewer }).catch(toAppError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await asked).toMatchObject({ kind: 'network' });
    expect(sent).toHaveLength(4);
  });

  it('is never asked again for a mutation', async () => {
    const { sent, client } = serverThat();
    expect(await client.mutate(rename).catch(toAppError)).toMatchObject({ kind: 'network' });
    expect(sent).toHaveLength(1);
  });
});

describe('a server that asks to come back later', () => {
  it('is asked again for a query, after the time that it names', async () => {
    vi.useFakeTimers();
    const busy = json({
      data: null,
      errors: [{ message: 'x', extensions: { code: 'RATE_LIMITED', slots: { seconds: '7' } } }],
    });
    const account = { __typename: 'Account', id: 'a', name: 'Ada', email: null, avatarUrl: null };
    const { sent, client } = serverThat(
      busy,
      json({ data: { viewer: { __typename: 'Viewer', account, memberships: [] } } }),
    );
    const asked = client.query({ query: operations.Viewer });
    await vi.advanceTimersByTimeAsync(6900);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect((await asked).data?.viewer.account.name).toBe('Ada');
  });
});

describe('the text of an operation', () => {
  const isOperation = (value: unknown): value is DocumentNode =>
    typeof value === 'object' &&
    value !== null &&
    'definitions' in value &&
    (value as DocumentNode).definitions.some(each => each.kind === Kind.OPERATION_DEFINITION);

  it('is the one that the server trusts', () => {
    const manifest = join(import.meta.dirname, '../../../../operations/generated/manifest.json');
    expect(existsSync(manifest), 'Run `cargo traitql generate` to write the manifest.').toBe(true);
    const trusted: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    const bodies = new Map(
      (trusted as { operations: { name: string; body: string }[] }).operations.map(each => [each.name, each.body]),
    );
    const { client } = serverThat(renamed);
    for (const [name, document] of Object.entries(operations)) {
      if (!isOperation(document)) continue;
      const text = print(inManifestOrder(client.cache.transformDocument(document)));
      expect(text, name).toBe(bodies.get(name));
    }
  });
});
