import { t } from '../../../shared/i18n/en/auth';

/**
 * Missing in oidc-client-ts 3.5 (its issue 2475): claims of the ID token (OpenID Connect Core, section 3.1.3.7) and
 * `iss` of responses (RFC 9207). The token endpoint's TLS replaces the signature.
 */

/** The accepted difference between this computer's clock and the provider's. */
const CLOCK_TOLERANCE_S = 600;

/** The token is not for this account or this application: a security check failed. */
export class IdTokenError extends Error {
  override name = 'IdTokenError';
}

/** An ID token that a provider has issued wrongly. A renewal with one is no attack. */
export class MalformedIdTokenError extends IdTokenError {
  override name = 'MalformedIdTokenError';
}

/** The clocks of this computer and of the provider differ too much. */
export class ClockError extends Error {
  override name = 'ClockError';
}

/** The user signed in with another account than the one whose sign-in had to be repeated. */
export class OtherAccountError extends Error {
  override name = 'OtherAccountError';
}

export interface Expected {
  issuers: readonly string[];
  clientId: string;
  /** Seconds since 1970. */
  now: number;
}

export function problemOfIdToken(idToken: string | undefined, { issuers, clientId, now }: Expected): Error | null {
  const claims = idToken ? claimsOf(idToken) : null;
  if (!claims) return new MalformedIdTokenError(t.idToken.unreadable);
  const { iss, aud, azp, exp, iat } = claims;
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (typeof iss !== 'string' || !issuers.includes(iss)) return new IdTokenError(t.idToken.otherIssuer);
  if (!audiences.includes(clientId)) return new IdTokenError(t.idToken.otherAudience);
  if (azp !== undefined && azp !== clientId) return new IdTokenError(t.idToken.otherParty);
  if (typeof exp !== 'number' || typeof iat !== 'number') return new MalformedIdTokenError(t.idToken.withoutTimes);
  if (exp + CLOCK_TOLERANCE_S < now) return new ClockError(t.idToken.expired);
  if (iat - CLOCK_TOLERANCE_S > now) return new ClockError(t.idToken.fromFuture);
  return null;
}

/**
 * Returns a reason to reject the ID token of a refresh, in addition to `problemOfIdToken`. A later `auth_time` is not a
 * reason: providers that take it from the account report the sign-in on another device.
 */
export function problemOfRenewedIdToken(
  idToken: string,
  previous: { sub: string; idToken: string | undefined },
): Error | null {
  const { sub, auth_time: signedInAt } = claimsOf(idToken) ?? {};
  if (typeof sub !== 'string') return new MalformedIdTokenError(t.idToken.unreadable);
  if (sub !== previous.sub) return new IdTokenError(t.idToken.otherSubject);
  const { auth_time: before } = claimsOf(previous.idToken ?? '') ?? {};
  const isOlder = typeof signedInAt === 'number' && typeof before === 'number' && signedInAt < before;
  return isOlder ? new MalformedIdTokenError(t.idToken.olderSignIn) : null;
}

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

/** Does not verify the claims. Returns null for another text. */
export function claimsOf(jwt: string): Record<string, unknown> | null {
  return partOf(jwt, 1);
}

/** Returns null for another text. */
export function headerOf(jwt: string): Record<string, unknown> | null {
  return partOf(jwt, 0);
}

function partOf(jwt: string, index: 0 | 1): Record<string, unknown> | null {
  const part = jwt.split('.')[index];
  if (part === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
    const content: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(content) ? content : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
