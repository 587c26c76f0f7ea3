// Settings that make the development identity provider behave like other providers. client/e2e/SIGN-IN.md describes
// each setting.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

const ENDPOINTS = {
  discovery: /^\/\.well-known\/openid-configuration$/,
  keys: /^\/jwks$/,
  authorization: /^\/(?:auth|sign-in)(?:\/|$)/,
  token: /^\/token$/,
  userinfo: /^\/me$/,
  revocation: /^\/token\/revocation$/,
  logout: /^\/session\/end/,
  all: /^/,
};

const endpoints = Object.keys(ENDPOINTS);

/** Values of each setting. The first value is the default. */
export const QUIRKS = {
  silentRequests: ['error', 'form'],
  pendingRequest: ['latest', 'first'],
  consent: ['granted', 'access_denied', 'consent_required'],
  frameCookies: ['sent', 'blocked'],
  responseMode: ['as-requested', 'query', 'fragment', 'form_post'],
  issuer: ['no-slash', 'slash', 'slash-in-tokens'],
  audiences: ['one', 'two'],
  accessTokens: ['jwt', 'opaque'],
  refreshTokens: ['rotate-and-detect-reuse', 'rotate', 'keep', 'none'],
  names: ['everywhere', 'userinfo', 'id-token', 'nowhere'],
  userinfoSubject: ['same', 'different'],
  clock: ['exact', 'ahead', 'behind'],
  authTime: ['session', 'account'],
  revocation: ['accepted', 'refused-for-public-clients'],
  logoutRedirect: ['always', 'with-client-id'],
  proofs: ['accepted', 'with-nonce', 'ignored'],
  withoutCors: ['none', ...endpoints],
  hangs: ['none', ...endpoints],
  unavailable: ['none', ...endpoints],
};

/** Claims of an account that `names` removes. */
const NAME_CLAIMS = new Set(['name', 'preferred_username', 'email', 'email_verified']);

/** Difference of a wrong clock, in seconds. */
const CLOCK_OFFSET_S = 240;

const UNAVAILABLE_PAGE =
  '<!doctype html><html lang="en"><title>503 Service Unavailable</title><h1>Service Unavailable</h1></html>';

/** Cookie with the first unfinished request, for `pendingRequest: first`. */
const FIRST_REQUEST = 'waypost_idp_first';

export class Quirks {
  #settings = defaults();
  /** Time of the last sign-in of each account, in seconds since 1970. @type {Map<string, number>} */
  #signedInAt = new Map();

  get settings() {
    return this.#settings;
  }

  /**
   * Changes settings, and resets all others to their defaults.
   * @param {Record<string, string>} changes
   */
  set(changes) {
    for (const [name, value] of Object.entries(changes)) {
      if (!QUIRKS[name]?.includes(value)) {
        const expected = QUIRKS[name]?.join(', ') ?? `a setting of ${Object.keys(QUIRKS).join(', ')}`;
        throw new Error(`The quirk ${name}=${value} does not exist. Expected: ${expected}.`);
      }
    }
    this.#settings = { ...defaults(), ...changes };
  }

  issuerAt(origin) {
    return this.#settings.issuer === 'slash' ? `${origin}/` : origin;
  }

  /**
   * Removes names from the claims of an account.
   * @param {'id-token' | 'userinfo' | 'access-token'} place
   * @param {Record<string, unknown>} claims
   */
  namesIn(place, claims) {
    const { names } = this.#settings;
    if (names === 'everywhere' || names === place) return claims;
    return Object.fromEntries(Object.entries(claims).filter(([name]) => !NAME_CLAIMS.has(name)));
  }

  /** Each sign-in has another time, although it is in seconds. */
  recordSignIn(accountName) {
    const previous = this.#signedInAt.get(accountName) ?? 0;
    this.#signedInAt.set(accountName, Math.max(Math.floor(Date.now() / 1000), previous + 1));
  }

  /**
   * Applies the settings that concern HTTP. Returns true if it has handled the request, also without a response.
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {string} path
   * @param {readonly object[]} keys
   */
  intercept(request, response, path, keys) {
    const { hangs, unavailable, withoutCors, frameCookies, revocation, proofs } = this.#settings;
    if (isAt(path, hangs)) return true;
    if (isAt(path, unavailable)) {
      response.writeHead(503, { 'Content-Type': 'text/html' }).end(UNAVAILABLE_PAGE);
      return true;
    }
    const isFrame = request.headers['sec-fetch-dest'] === 'iframe';
    if (isFrame && frameCookies === 'blocked') {
      delete request.headers.cookie;
      beforeHeaders(response, () => response.removeHeader('Set-Cookie'));
    }
    if (proofs === 'ignored') delete request.headers.dpop;
    if (isAt(path, withoutCors)) beforeHeaders(response, () => removeCorsHeaders(response));
    request.url = this.#rewriteUrl(request.url ?? '/', path, keys);
    if (path === '/token') rewriteJson(response, body => this.#rewriteTokens(body, keys));
    if (path === '/me') rewriteJson(response, body => this.#rewriteUserinfo(body));
    if (ENDPOINTS.revocation.test(path) && request.method === 'POST' && revocation !== 'accepted') {
      response.writeHead(401, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
      response.end(JSON.stringify({ error: 'invalid_client', error_description: 'client authentication is required' }));
      return true;
    }
    return false;
  }

  /**
   * Returns the id of the sign-in to complete: the one of the form, or the first unfinished one of this browser.
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {string} id
   */
  pendingRequest(request, response, id) {
    if (this.#settings.pendingRequest !== 'first') return id;
    const isFrameWithoutCookies =
      request.headers['sec-fetch-dest'] === 'iframe' && this.#settings.frameCookies === 'blocked';
    const first = new RegExp(`${FIRST_REQUEST}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? id;
    const isDone = request.method === 'POST';
    const cookie = `${FIRST_REQUEST}=${isDone ? '' : first}; Path=/; HttpOnly; SameSite=Lax${isDone ? '; Max-Age=0' : ''}`;
    if (!isFrameWithoutCookies) response.appendHeader('Set-Cookie', cookie);
    return first;
  }

  #rewriteUrl(url, path, keys) {
    if (path !== '/auth' && path !== '/session/end') return url;
    const { silentRequests, responseMode, logoutRedirect } = this.#settings;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (path === '/auth') {
      if (silentRequests === 'form' && searchParams.get('prompt') === 'none') searchParams.delete('prompt');
      if (responseMode !== 'as-requested') searchParams.set('response_mode', responseMode);
    } else if (logoutRedirect === 'with-client-id' && !searchParams.has('client_id')) {
      searchParams.delete('post_logout_redirect_uri');
    }
    const hint = searchParams.get('id_token_hint');
    if (hint !== null && isSignedBy(hint, keys)) {
      // The library expects the audience that it has issued.
      const restore = claims => Object.assign(claims, { aud: claims.azp ?? claims.aud });
      searchParams.set('id_token_hint', signAgain(hint, keys, restore));
    }
    return `${pathname}?${searchParams}`;
  }

  #rewriteTokens({ id_token: idToken, access_token: accessToken, ...rest }, keys) {
    const { audiences, authTime, clock, issuer } = this.#settings;
    const offset = { exact: 0, ahead: CLOCK_OFFSET_S, behind: -CLOCK_OFFSET_S }[clock];
    const change = claims => {
      if (authTime === 'account') claims.auth_time = this.#signedInAt.get(claims.sub) ?? claims.auth_time;
      for (const name of ['iat', 'exp', 'nbf', 'auth_time']) if (claims[name] !== undefined) claims[name] += offset;
      if (issuer === 'slash-in-tokens') claims.iss += '/';
    };
    const changeIdToken = claims => {
      change(claims);
      // The access token has changed too, and the hash is optional in this flow.
      delete claims.at_hash;
      if (audiences === 'two') Object.assign(claims, { azp: claims.aud, aud: [claims.aud, 'urn:other:service'] });
    };
    const isChanged = audiences === 'two' || authTime === 'account' || offset !== 0 || issuer === 'slash-in-tokens';
    if (!isChanged || accessToken === undefined) return { id_token: idToken, access_token: accessToken, ...rest };
    return {
      ...rest,
      access_token: isJwt(accessToken) ? signAgain(accessToken, keys, change) : accessToken,
      ...(idToken === undefined ? {} : { id_token: signAgain(idToken, keys, changeIdToken) }),
    };
  }

  #rewriteUserinfo(body) {
    return this.#settings.userinfoSubject === 'different' ? { ...body, sub: `userinfo-${body.sub}` } : body;
  }
}

/**
 * Returns the subject of a valid JWT in the Authorization header, else null. oidc-provider stores no JWTs, so that its
 * userinfo endpoint rejects them.
 * @param {import("node:http").IncomingMessage} request
 * @param {readonly object[]} keys
 */
export function subjectOfBearer(request, keys) {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return isJwt(token) && isSignedBy(token, keys) ? decode(token.split('.')[1]).sub : null;
}

function defaults() {
  return Object.fromEntries(Object.entries(QUIRKS).map(([name, [first]]) => [name, first]));
}

function isAt(path, endpoint) {
  return endpoint !== 'none' && ENDPOINTS[endpoint].test(path);
}

function isJwt(token) {
  return token.split('.').length === 3;
}

function decode(part) {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

function isSignedBy(token, keys) {
  const [header, payload, signature] = token.split('.');
  const key = keys.find(({ kid }) => kid === decode(header).kid);
  if (!key) return false;
  const publicKey = createPublicKey({ key, format: 'jwk' });
  return verify('sha256', Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'));
}

function signAgain(token, keys, change) {
  const [header, payload] = token.split('.');
  const key = keys.find(({ kid }) => kid === decode(header).kid);
  const claims = decode(payload);
  change(claims);
  const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const signature = sign('sha256', Buffer.from(content), createPrivateKey({ key, format: 'jwk' }));
  return `${content}.${signature.toString('base64url')}`;
}

function beforeHeaders(response, change) {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (...args) => {
    change();
    return writeHead(...args);
  };
}

function removeCorsHeaders(response) {
  for (const name of response.getHeaderNames()) {
    if (name.startsWith('access-control-')) response.removeHeader(name);
  }
}

function rewriteJson(response, change) {
  const end = response.end.bind(response);
  response.end = (body, ...rest) => {
    if (response.statusCode !== 200 || !body || response.headersSent) return end(body, ...rest);
    const text = JSON.stringify(change(JSON.parse(String(body))));
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return end(text);
  };
}
