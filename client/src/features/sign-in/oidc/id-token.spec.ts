import { describe, expect, it } from 'vitest';
import { jwt } from './fixtures';
import {
  claimsOf,
  ClockError,
  IdTokenError,
  MalformedIdTokenError,
  problemOfIdToken,
  problemOfRenewedIdToken,
  problemOfResponse,
} from './id-token';

const now = 1_800_000_000;
const expected = { issuers: ['https://id.example', 'id.example'], clientId: 'waypost', now };
const claims = { iss: 'https://id.example', aud: 'waypost', sub: 'ada', exp: now + 300, iat: now };

describe('an ID token', () => {
  it.each<[string, Record<string, unknown>]>([
    ['of this provider for this application', {}],
    ['for several applications, this one among them', { aud: ['other', 'waypost'], azp: 'waypost' }],
    ['with a clock skew of nine minutes', { exp: now - 540, iat: now + 540 }],
    ['with an alias of the issuer', { iss: 'id.example' }],
  ])('%s is accepted', (_, change) => {
    expect(problemOfIdToken(jwt({ ...claims, ...change }), expected)).toBeNull();
  });

  it.each<[string, Record<string, unknown>, string, new (message: string) => Error]>([
    ['of another issuer', { iss: 'https://evil.example' }, 'different issuer', IdTokenError],
    ['of the same issuer with a trailing slash', { iss: 'https://id.example/' }, 'different issuer', IdTokenError],
    ['for another application', { aud: 'other' }, 'different audience', IdTokenError],
    ['without an audience', { aud: undefined }, 'different audience', IdTokenError],
    ['with another authorized party', { azp: 'other' }, 'different client', IdTokenError],
    ['that has expired', { exp: now - 601 }, 'expired', ClockError],
    ['without an expiry', { exp: undefined }, 'state when', MalformedIdTokenError],
    ['whose expiry is a string', { exp: '9999999999' }, 'state when', MalformedIdTokenError],
    ['issued in the future', { iat: now + 601 }, 'future', ClockError],
    ['without an issue time', { iat: undefined }, 'state when', MalformedIdTokenError],
  ])('%s is rejected', (_, change, message, kind) => {
    const problem = problemOfIdToken(jwt({ ...claims, ...change }), expected);
    expect(problem).toBeInstanceOf(kind);
    expect(problem?.message).toContain(message);
  });

  it.each([undefined, '', 'a', 'a.b.c', `x.${btoa('[]')}.y`])('that is %j is rejected', idToken => {
    expect(problemOfIdToken(idToken, expected)?.message).toBe('The provider’s ID token is malformed.');
  });

  it('is decoded as UTF-8', () => {
    expect(claimsOf(jwt({ name: 'Åsa Öberg' }))).toEqual({ name: 'Åsa Öberg' });
  });
});

describe('the ID token of a renewal', () => {
  const previous = { sub: 'ada', idToken: jwt({ ...claims, auth_time: now }) };

  it.each<[string, object]>([
    ['of the same sign-in', { auth_time: now }],
    ['of a later sign-in on another device', { auth_time: now + 3600 }],
    ['without the time of the sign-in', {}],
  ])('%s is accepted', (_, change) => {
    expect(problemOfRenewedIdToken(jwt({ ...claims, ...change }), previous)).toBeNull();
  });

  it('of an earlier sign-in is a deviation, and that of another account an attack', () => {
    const earlier = problemOfRenewedIdToken(jwt({ ...claims, auth_time: now - 1 }), previous);
    expect(earlier).toBeInstanceOf(MalformedIdTokenError);
    const other = problemOfRenewedIdToken(jwt({ ...claims, sub: 'bob' }), previous);
    expect(other).toBeInstanceOf(IdTokenError);
    expect(other).not.toBeInstanceOf(MalformedIdTokenError);
  });
});

describe('a response', () => {
  const provider = { issuer: 'https://id.example', sendsIssuer: true };
  const problem = (query: string, sendsIssuer = true) =>
    problemOfResponse(new URLSearchParams(query), { ...provider, sendsIssuer });

  it('of the requested provider is accepted', () => {
    expect(problem('code=1&state=2&iss=https://id.example')).toBeNull();
  });
  it('of another provider is rejected', () => {
    expect(problem('code=1&state=2&iss=https://evil.example')).toContain('different provider');
    expect(problem('code=1&state=2&iss=https://evil.example', false)).toContain('different provider');
  });
  it('without an issuer is rejected if the provider always sends it', () => {
    expect(problem('code=1&state=2')).toContain('doesn’t identify');
    expect(problem('code=1&state=2', false)).toBeNull();
  });
});
