import { ApolloProvider } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeClient } from '../shared/api/client';
import { cleanup, renderHook } from '../shared/testing';
import { useTourSession } from './use-tour-session';

interface Request {
  operationName: string;
  variables: { visitor: { externalId?: string }; events?: { runId: string }[] };
}

const booted = { boot: { __typename: 'Boot', visitorId: 'p', serverTime: '2026-01-01T00:00:00.000Z', tours: [] } };

function outage() {
  const requests: Request[] = [];
  const fetch = vi.fn(async (_: unknown, init?: RequestInit) => {
    const request = JSON.parse(String(init?.body)) as Request;
    requests.push(request);
    if (request.operationName === 'Record') throw new TypeError('Failed to fetch');
    return Response.json({ data: booted });
  });
  const client = makeClient({ uri: 'http://localhost/graphql', fetch: fetch as typeof globalThis.fetch });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ApolloProvider client={client}>{children}</ApolloProvider>
  );
  const externalIds = (name: string) =>
    requests.filter(each => each.operationName === name).map(each => each.variables.visitor.externalId);
  return { wrapper, externalIds };
}

afterEach(() => {
  cleanup();
  localStorage.clear();
});

describe('a tour session', () => {
  it('restarts for another account and does not send events of the previous one in its name', async () => {
    const { wrapper, externalIds } = outage();
    const at = new Date().toISOString();
    const event = { runId: 'run', releaseId: 'r', seq: 0, kind: 'STEP_SEEN', at, activeMs: 0 };
    localStorage.setItem('waypost.events.site.browser-1.ada', JSON.stringify([event]));
    const waitUntilReady = async () => {};
    const { rerender } = renderHook(
      ({ externalId }) => useTourSession({ siteKey: 'site', visitor: 'browser-1', externalId, waitUntilReady }),
      { wrapper, initialProps: { externalId: 'ada' } },
    );
    await expect.poll(() => externalIds('Boot')).toEqual(['ada']);
    rerender({ externalId: 'bob' });
    await expect.poll(() => externalIds('Boot')).toEqual(['ada', 'bob']);
    expect(new Set(externalIds('Record'))).toEqual(new Set(['ada']));
    expect(localStorage.getItem('waypost.events.site.browser-1.ada')).toContain('"run"');
  });
});
