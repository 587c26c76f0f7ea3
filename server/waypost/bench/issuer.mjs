// An OpenID Connect issuer for benchmarks. It has no sign-in page: the benchmark gets its access tokens directly.

import { createPublicKey, createSign } from 'node:crypto';
import http from 'node:http';
import { newRsaKey } from '../../../client/dev/signing-keys.mjs';

/** Longer than the longest benchmark. */
const LIFETIME_S = 24 * 3600;

/** The account has the role viewer. */
export async function startIssuer() {
  const privateKey = newRsaKey();
  const keys = [{ ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' }];
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
    if (!tokens.has(subject)) tokens.set(subject, sign(privateKey, { iss: url, sub: subject }));
    return tokens.get(subject);
  };
  return { url, token, stop: () => server.close() };
}

function sign(key, claims) {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'at+jwt', kid: 'bench' };
  const payload = { aud: 'bench', client_id: 'bench', iat: now, exp: now + LIFETIME_S, roles: ['viewer'], ...claims };
  const text = [header, payload].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}
