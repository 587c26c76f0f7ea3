import { afterEach, describe, expect, it, vi } from 'vitest';
import { stubServer } from '../../embed/stub-server';
import { cleanup, renderHook } from '../shared/testing';
import { useTourSession } from './use-tour-session';

interface Request {
  path: string;
  visitor: { externalId?: string };
}

function outage() {
  const requests: Request[] = [];
  stubServer((path, body) => {
    requests.push({ path, ...(JSON.parse(body) as Pick<Request, 'visitor'>) });
    if (path === '/e/record') throw new TypeError('Failed to fetch');
    return Response.json({ tours: [], goals: [], serverTime: new Date().toISOString(), tokenProblem: null });
  });
  return (path: string) => requests.filter(each => each.path === path).map(({ visitor }) => visitor.externalId);
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('a tour session', () => {
  it('restarts for another account and does not send events of the previous one in its name', async () => {
    const externalIds = outage();
    const at = new Date().toISOString();
    const event = { runId: 'run', releaseId: 'r', seq: 0, kind: 'STEP_SEEN', at, activeMs: 0 };
    localStorage.setItem('waypost.events.site.browser-1.ada', JSON.stringify([event]));
    const waitUntilReady = async () => {};
    const { rerender } = renderHook(
      ({ externalId }) => useTourSession({ siteKey: 'site', visitor: 'browser-1', externalId, waitUntilReady }),
      { initialProps: { externalId: 'ada' } },
    );
    await expect.poll(() => externalIds('/e/boot')).toEqual(['ada']);
    rerender({ externalId: 'bob' });
    await expect.poll(() => externalIds('/e/boot')).toEqual(['ada', 'bob']);
    expect(new Set(externalIds('/e/record'))).toEqual(new Set(['ada']));
    expect(localStorage.getItem('waypost.events.site.browser-1.ada')).toContain('"run"');
  });
});
