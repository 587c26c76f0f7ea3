/** A provider, its users and their tokens for tests. */
import { User } from 'oidc-client-ts';
import type { Provider } from './providers';

export const provider: Provider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.example',
  clientId: 'waypost',
  scope: 'openid',
};

/** A user whose session lasts five minutes. */
export const userOf = (sub: string, token: string, iss = provider.issuer): User =>
  new User({
    access_token: token,
    token_type: 'Bearer',
    profile: { iss, aud: 'waypost', sub, exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + 300,
  });

/** Tokens for tests. They are signed by nobody: the client never verifies a signature. */
export function jwt(claims: object): string {
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
}

function encoded(part: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(part));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
