import { afterEach, describe, expect, it } from 'vitest';
import { connectAuthSession } from './auth-session';
import { provingFetch } from './proving-fetch';

const init = { method: 'POST', headers: { authorization: 'Bearer t' }, body: '{}' };
const nonceRequired = (nonce: string) =>
  new Response(null, {
    status: 401,
    headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce", algs="ES256"', 'dpop-nonce': nonce },
  });

let disconnect = () => {};
afterEach(() => disconnect());

function setUp(isBound: boolean, ...responses: Response[]) {
  disconnect = connectAuthSession({
    prove: async (token, { method, url, nonce }) => (isBound ? [token, method, url, nonce].join(' ') : null),
  });
  const sent: Record<string, string>[] = [];
  const proving = provingFetch(async (_, { headers } = {}) => {
    sent.push(Object.fromEntries(new Headers(headers)));
    return responses.shift() ?? new Response();
  });
  return { sent, proving };
}

const url = `${window.location.origin}/graphql`;

describe('provingFetch', () => {
  it('adds a proof for the method, the URL and the token', async () => {
    const { sent, proving } = setUp(true);
    await proving('/graphql?query#fragment', init);
    expect(sent).toEqual([{ authorization: 'DPoP t', dpop: `t POST ${url} ` }]);
  });

  it('does not change requests without a token, and tokens that are not bound', async () => {
    const { sent, proving } = setUp(true);
    await proving('/graphql', { headers: { accept: '*/*' } });
    expect(sent).toEqual([{ accept: '*/*' }]);
    const bearer = setUp(false);
    await bearer.proving('/graphql', init);
    expect(bearer.sent).toEqual([{ authorization: 'Bearer t' }]);
  });

  it('repeats a request once with the nonce of the server, and keeps the newest nonce', async () => {
    const renewed = new Response(null, { headers: { 'dpop-nonce': 'n2' } });
    const { sent, proving } = setUp(true, nonceRequired('n1'), renewed);
    expect((await proving('/graphql', init)).status).toBe(200);
    await proving('/graphql', init);
    expect(sent.map(each => each['dpop'])).toEqual(['', 'n1', 'n2'].map(nonce => `t POST ${url} ${nonce}`));

    const rejecting = setUp(true, nonceRequired('n1'), nonceRequired('n2'));
    expect((await rejecting.proving('/graphql', init)).status).toBe(401);
    expect(rejecting.sent).toHaveLength(2);
  });
});
