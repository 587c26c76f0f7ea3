// An OpenID Connect issuer for benchmarks. It has no sign-in page: the benchmark gets its access tokens directly.

import { createPublicKey, createSign, randomUUID } from 'node:crypto';
import http from 'node:http';
import { newRsaKey } from '../../../client/dev/signing-keys.mjs';

/** Longer than the longest benchmark. */
const LIFETIME_S = 24 * 3600;

/** The account has the role viewer. */
export async function startIssuer() {
  let { privateKey, kid, keys } = newKey();
  const server = http.createServer((incoming, response) => {
    const url = `http://localhost:${server.address().port}`;
    const documents = {
      '/.well-known/openid-configuration': {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      },
      '/keys': { keys },
    };
    const found = documents[incoming.url];
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise(resolve => server.listen(0, 'localhost', resolve));
  const url = `http://localhost:${server.address().port}`;
  const tokens = new Map();
  const token = subject => {
    if (!tokens.has(subject)) tokens.set(subject, sign({ privateKey, kid }, { iss: url, sub: subject }));
    return tokens.get(subject);
  };
  const { port } = server.address();
  return {
    url,
    token,
    /** Replaces the key, and with it all tokens. */
    rotate() {
      ({ privateKey, kid, keys } = newKey());
      tokens.clear();
    },
    /** Issues new tokens from now on. */
    renew: () => tokens.clear(),
    pause: () => new Promise(resolve => (server.close(resolve), server.closeAllConnections())),
    resume: () => new Promise(resolve => server.listen(port, 'localhost', resolve)),
    stop: () => server.close(),
  };
}

function newKey() {
  const privateKey = newRsaKey();
  const kid = randomUUID();
  const keys = [{ ...createPublicKey(privateKey).export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }];
  return { privateKey, kid, keys };
}

function sign({ privateKey, kid }, claims) {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'at+jwt', kid };
  const payload = { aud: 'bench', client_id: 'bench', iat: now, exp: now + LIFETIME_S, roles: ['viewer'], ...claims };
  const text = [header, payload].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}
