import { ErrorResponse } from 'oidc-client-ts';
import { describe, expect, it } from 'vitest';
import { causeOf, withoutSecrets } from './error-cause';
import { jwt } from './fixtures';

const token = jwt({ sub: 'ada', exp: 1 });

describe('the technical cause', () => {
  it('is the error of the provider', () => {
    const error = new ErrorResponse({ error: 'invalid_scope', error_description: 'no such scope: tours' });
    expect(causeOf(error)).toBe('invalid_scope · no such scope: tours');
    expect(causeOf(new TypeError('Failed to fetch'))).toBe('TypeError: Failed to fetch');
    expect(causeOf('odd')).toBe('odd');
  });

  it.each([
    `the token ${token} has expired`,
    `Bad Request (400): {"error_hint":"x","refresh_token":"short-secret"}`,
    'refresh_token=short-secret&grant_type=refresh_token',
    `no answer from https://id.example/auth?code=short-secret#short-secret`,
    'unknown grant 4f9a8b7c6d5e4f3a2b1c-short-secret',
    `id_token_hint: ${token}`,
  ])('contains no secrets: %s', text => {
    expect(withoutSecrets(text)).not.toContain('short-secret');
    expect(withoutSecrets(text)).not.toContain(token.slice(0, 12));
  });

  it('does not contain the form of the request', () => {
    const form = new URLSearchParams({ refresh_token: 'short-secret' });
    expect(causeOf(new ErrorResponse({ error: 'invalid_grant' }, form))).toBe('invalid_grant');
  });

  it('does not change words and addresses', () => {
    const text =
      'authorization_response_iss_parameter_supported at https://id.example/.well-known/openid-configuration';
    expect(withoutSecrets(text)).toBe(text);
  });
});
