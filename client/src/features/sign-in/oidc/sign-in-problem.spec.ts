import { ErrorResponse, ErrorTimeout, UserManager } from 'oidc-client-ts';
import { describe, expect, it, vi } from 'vitest';
import { jwt } from './fixtures';
import { IdTokenError } from './id-token';
import { CorsError, unavailableError } from './network-cause';
import { formatProblem } from './problem-text';
import { type RequestMode, signInProblem } from './sign-in-problem';

const manager = () =>
  new UserManager({
    authority: 'https://id.example',
    client_id: 'waypost',
    redirect_uri: 'https://waypost.example/auth/callback',
    popup_redirect_uri: 'https://waypost.example/auth/popup.html',
    metadata: { issuer: 'https://id.example', authorization_endpoint: 'https://id.example/auth' },
  });
const ignore = () => {};
const problemOf = (run: Promise<unknown>) =>
  run.then(
    () => null,
    (error: unknown) => signInProblem(error, 'interactive'),
  );

describe('a failure', () => {
  it.each<[string, unknown, string]>([
    ['no response', new TypeError('Failed to fetch'), 'unreachable'],
    ['a response that may not be read', new CorsError('CORS'), 'corsBlocked'],
    ['a timeout', new ErrorTimeout('Network timed out'), 'unreachable'],
    ['a proxy that responds with errors only', unavailableError(), 'unavailable'],
    ['no session at the provider', new ErrorResponse({ error: 'login_required' }), 'sessionEnded'],
    ['a token relay at its limit', new ErrorResponse({ error: 'temporarily_unavailable' }), 'unavailable'],
    ['a token relay whose provider is down', new ErrorResponse({ error: 'server_error' }), 'unavailable'],
    ['a gateway error', new Error('Bad Gateway (502)'), 'unavailable'],
    ['a status without a body', new Error('Bad Request (400)'), 'invalidResponse'],
    ['a status over HTTP/2', new Error(' (403)'), 'invalidResponse'],
    ['a status with unknown JSON', new Error('Bad Request (400): {}'), 'invalidResponse'],
    [
      'a page of a proxy',
      new Error('Invalid response Content-Type: text/html, from URL: https://id.example/token'),
      'invalidResponse',
    ],
    ['a truncated response', new SyntaxError('Unexpected end of JSON input'), 'invalidResponse'],
    ['a rejection by the provider', new ErrorResponse({ error: 'invalid_scope' }), 'rejected'],
    ['a forged ID token', new IdTokenError('The ID token has expired.'), 'untrusted'],
    ['another nonce', new Error('nonce in id_token does not match nonce in client storage'), 'untrusted'],
    ['a bug of the client', new TypeError('x is not a function'), 'unknown'],
    ['an unknown error', new Error('odd'), 'unknown'],
    ['an unknown value', 'odd', 'unknown'],
  ])('caused by %s is recognized', (_, error, kind) => {
    vi.stubGlobal('isSecureContext', true);
    expect(signInProblem(error, 'interactive').kind).toBe(kind);
  });

  it.each<[string, RequestMode, string]>([
    ['access_denied', 'silent', 'accessDenied'],
    ['access_denied', 'interactive', 'accessDenied'],
    ['consent_required', 'silent', 'sessionEnded'],
    ['consent_required', 'interactive', 'accessDenied'],
    ['invalid_grant', 'silent', 'sessionEnded'],
    ['invalid_grant', 'interactive', 'codeExpired'],
  ])('caused by %s depends on the request, here %s', (error, mode, kind) => {
    vi.stubGlobal('isSecureContext', true);
    expect(signInProblem(new ErrorResponse({ error }), mode).kind).toBe(kind);
  });

  // Fails if a new version changes the messages.
  it('caused by a blocked window is recognized', async () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('open', () => null);
    expect(await problemOf(manager().signinPopup())).toMatchObject({ kind: 'popupBlocked' });
  });

  it('caused by cancelling the window is recognized', async () => {
    vi.stubGlobal('isSecureContext', true);
    const controller = new AbortController();
    const replace = () => setTimeout(() => controller.abort('Popup aborted'));
    vi.stubGlobal('open', () => ({ close: ignore, focus: ignore, closed: false, location: { replace } }));
    expect(await problemOf(manager().signinPopup({ popupSignal: controller.signal }))).toMatchObject({
      kind: 'cancelled',
    });
  });

  it('caused by a response that this tab did not request is recognized', async () => {
    vi.stubGlobal('isSecureContext', true);
    const page = 'https://waypost.example/auth/callback';
    expect(await problemOf(manager().signinCallback(`${page}?code=1&state=unknown`))).toMatchObject({
      kind: 'unknownState',
    });
    expect(await problemOf(manager().signinCallback(`${page}?code=1`))).toMatchObject({ kind: 'unknownState' });
  });

  it('caused by an address without https is recognized before any other', () => {
    vi.stubGlobal('isSecureContext', false);
    expect(signInProblem(new TypeError('crypto.subtle is undefined'), 'silent').kind).toBe('insecureContext');
  });
});

// Fails if a new version changes the messages.
it.each([
  ['a status without a body', new Response(null, { status: 400, statusText: 'Bad Request' })],
  ['a status over HTTP/2', new Response('', { status: 403, headers: { 'content-type': 'application/json' } })],
  [
    'a status and a text',
    new Response('Go away.', { status: 400, statusText: 'Bad Request', headers: { 'content-type': '' } }),
  ],
  ['a status and other JSON', Response.json({ message: 'Forbidden' }, { status: 403 })],
  ['a page of a proxy', new Response('<h1>Sorry</h1>', { status: 200, headers: { 'content-type': 'text/html' } })],
  [
    'a truncated response',
    new Response('{"issuer":', { status: 200, headers: { 'content-type': 'application/json' } }),
  ],
])('reports an invalid response with its cause: %s', async (_, response) => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('fetch', async () => response);
  const unknown = new UserManager({
    authority: 'https://id.example',
    client_id: 'waypost',
    redirect_uri: 'https://waypost.example/',
  });
  const problem = await problemOf(unknown.metadataService.getMetadata());
  expect(problem).toMatchObject({ kind: 'invalidResponse', cause: expect.stringMatching(/\w/) });
  expect(problem && formatProblem(problem, 'Acme')).toMatch(
    /^Acme returned an unexpected sign-in response\. Try again/,
  );
});

it('shows the reason of a rejection, and advice', () => {
  const denied = formatProblem({ kind: 'accessDenied', reason: 'Not on Sundays' }, 'Acme');
  expect(denied).toMatch(/^Acme didn’t grant access \(“Not on Sundays”\)\. Sign in again and allow access, sign out/);
  const rejected = formatProblem({ kind: 'rejected', code: 'invalid_scope', reason: 'No such scope.' }, 'Acme');
  expect(rejected).toContain('Acme rejected the sign-in: “No such scope” (invalid_scope).');
  expect(rejected).toContain('waypost doctor oidc');
});

it('does not include tokens in messages', () => {
  const token = jwt({ sub: 'ada' });
  for (const error of [new Error(token), new ErrorResponse({ error: 'odd', error_description: token })]) {
    const problem = signInProblem(error, 'interactive');
    expect(formatProblem(problem, 'Acme') + JSON.stringify(problem)).not.toContain(token.slice(0, 12));
  }
});
