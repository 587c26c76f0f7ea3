import { describe, expect, it } from 'vitest';
import { jwt } from './fixtures';
import { claimsOf, problemOfIdToken, problemOfResponse } from './id-token';

const now = 1_800_000_000;
const expected = { issuers: ['https://id.example', 'id.example'], clientId: 'waypost', now };
const claims = { iss: 'https://id.example', aud: 'waypost', sub: 'ada', exp: now + 300, iat: now };

describe('an ID token', () => {
  it.each<[string, Record<string, unknown>]>([
    ['of this provider for this application', {}],
    ['for several applications, this one among them', { aud: ['other', 'waypost'], azp: 'waypost' }],
    ['of a clock that is nine minutes off', { exp: now - 540, iat: now + 540 }],
    ['of this provider in another spelling of its own', { iss: 'id.example' }],
  ])('%s is accepted', (_, change) => {
    expect(problemOfIdToken(jwt({ ...claims, ...change }), expected)).toBeNull();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['of another issuer', { iss: 'https://evil.example' }, 'different issuer'],
    ['of the same issuer with a slash', { iss: 'https://id.example/' }, 'different issuer'],
    ['for another application', { aud: 'other' }, 'different audience'],
    ['without an audience', { aud: undefined }, 'different audience'],
    ['given to another application', { azp: 'other' }, 'different client'],
    ['that has expired', { exp: now - 601 }, 'expired'],
    ['without an end', { exp: undefined }, 'expired'],
    ['whose end is a text', { exp: '9999999999' }, 'expired'],
    ['of the future', { iat: now + 601 }, 'future'],
    ['without a beginning', { iat: undefined }, 'future'],
  ])('%s is refused', (_, change, problem) => {
    expect(problemOfIdToken(jwt({ ...claims, ...change }), expected)).toContain(problem);
  });

  it.each([undefined, '', 'a', 'a.b.c', `x.${btoa('[]')}.y`])('that is %j is refused', idToken => {
    expect(problemOfIdToken(idToken, expected)).toBe('The provider’s ID token is malformed.');
  });

  it('is read as UTF-8', () => {
    expect(claimsOf(jwt({ name: 'Åsa Öberg' }))).toEqual({ name: 'Åsa Öberg' });
  });
});

describe('a response', () => {
  const provider = { issuer: 'https://id.example', sendsIssuer: true };
  const problem = (query: string, sendsIssuer = true) =>
    problemOfResponse(new URLSearchParams(query), { ...provider, sendsIssuer });

  it('of the provider that was asked is accepted', () => {
    expect(problem('code=1&state=2&iss=https://id.example')).toBeNull();
  });
  it('of another provider is refused', () => {
    expect(problem('code=1&state=2&iss=https://evil.example')).toContain('different provider');
    expect(problem('code=1&state=2&iss=https://evil.example', false)).toContain('different provider');
  });
  it('without a sender is refused when the provider always says it', () => {
    expect(problem('code=1&state=2')).toContain('doesn’t identify');
    expect(problem('code=1&state=2', false)).toBeNull();
  });
});
