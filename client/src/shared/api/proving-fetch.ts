/** DPoP (RFC 9449). Each proof is for a method, a URL and a token. */
import { authSession } from './auth-session';

const BEARER = 'Bearer ';

export function provingFetch(send: typeof fetch = (input, init) => fetch(input, init)): typeof fetch {
  let nonce: string | undefined;
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const authorization = headers.get('authorization');
    if (!authorization?.startsWith(BEARER)) return send(input, init);
    const token = authorization.slice(BEARER.length);
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);

    const attempt = async (): Promise<Response> => {
      const request = { url: origin + pathname, method: init.method ?? 'GET', nonce };
      const proof = await authSession.prove(token, request);
      if (proof === null) return send(input, init);
      headers.set('authorization', `DPoP ${token}`);
      headers.set('dpop', proof);
      const response = await send(input, { ...init, headers: Object.fromEntries(headers) });
      nonce = response.headers.get('dpop-nonce') ?? nonce;
      return response;
    };

    const response = await attempt();
    const needsNonce =
      response.status === 401 && response.headers.get('www-authenticate')?.includes('error="use_dpop_nonce"') === true;
    return needsNonce ? attempt() : response;
  };
}
