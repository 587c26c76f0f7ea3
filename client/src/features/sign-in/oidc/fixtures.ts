import { User } from 'oidc-client-ts';
import type { Provider } from './providers';

export const provider: Provider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.example',
  clientId: 'waypost',
  scope: 'openid',
};

export const userOf = (sub: string, token: string, iss = provider.issuer): User =>
  new User({
    access_token: token,
    token_type: 'Bearer',
    profile: { iss, aud: 'waypost', sub, exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + 300,
  });

/** Returns an unsigned token. The client does not verify signatures. */
export function jwt(claims: object, header: object = {}): string {
  return `${encode({ alg: 'none', ...header })}.${encode(claims)}.`;
}

function encode(part: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(part));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
