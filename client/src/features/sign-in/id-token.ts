import { t } from '../../shared/i18n/en/auth';

/**
 * The checks of a provider's answer that oidc-client-ts 3.5 leaves out (its issue 2475): the claims of the ID token
 * (OpenID Connect Core, section 3.1.3.7) and the `iss` parameter of the response (RFC 9207). Pure: values in, a
 * problem or null out. The signature is not checked here: the token comes straight from the token endpoint, and TLS
 * vouches for it.
 */

/** How far this computer's clock may be from the provider's, in seconds. */
const CLOCK_TOLERANCE = 600;

export class IdTokenError extends Error {
  override name = 'IdTokenError';
}

export interface Expected {
  /** The spellings that are accepted. */
  issuers: readonly string[];
  clientId: string;
  /** Seconds since 1970. */
  now: number;
}

/** What is wrong with an ID token, as a sentence, or null. */
export function problemOfIdToken(idToken: string | undefined, { issuers, clientId, now }: Expected): string | null {
  const claims = idToken ? claimsOf(idToken) : null;
  if (!claims) return t.idToken.unreadable;
  const { iss, aud, azp, exp, iat } = claims;
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (typeof iss !== 'string' || !issuers.includes(iss)) return t.idToken.otherIssuer;
  if (!audiences.includes(clientId)) return t.idToken.otherAudience;
  if (azp !== undefined && azp !== clientId) return t.idToken.otherParty;
  if (typeof exp !== 'number' || exp + CLOCK_TOLERANCE < now) return t.idToken.expired;
  if (typeof iat !== 'number' || iat - CLOCK_TOLERANCE > now) {
    return t.idToken.fromFuture;
  }
  return null;
}

/** What is wrong with the parameters of a response, as a sentence, or null. */
export function problemOfResponse(
  parameters: URLSearchParams,
  provider: { issuer: string; sendsIssuer: boolean },
): string | null {
  const issuer = parameters.get('iss');
  if (issuer === null) {
    return provider.sendsIssuer && parameters.has('code') ? t.idToken.noIssuer : null;
  }
  return issuer === provider.issuer ? null : t.idToken.otherProvider;
}

/** The claims of a JWT, unverified; null when it is no JWT. */
export function claimsOf(jwt: string): Record<string, unknown> | null {
  const payload = jwt.split('.')[1];
  if (payload === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(claims) ? claims : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
