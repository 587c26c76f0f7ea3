import { ErrorResponse, ErrorTimeout, UserManager } from 'oidc-client-ts';
import { describe, expect, it, vi } from 'vitest';
import { CorsError } from './cors-error';
import { jwt } from './fixtures';
import { IdTokenError } from './id-token';
import { sayProblem, signInProblem } from './sign-in-problem';

const manager = () =>
  new UserManager({
    authority: 'https://id.example',
    client_id: 'waypost',
    redirect_uri: 'https://waypost.example/auth/callback',
    popup_redirect_uri: 'https://waypost.example/auth/popup.html',
    metadata: { issuer: 'https://id.example', authorization_endpoint: 'https://id.example/auth' },
  });
const ignore = () => {};
const problemOf = (run: Promise<unknown>) => run.then(() => null, signInProblem);

describe('a failure', () => {
  it.each<[string, unknown, string]>([
    ['no answer', new TypeError('Failed to fetch'), 'unreachable'],
    ['an answer that may not be read', new CorsError('CORS'), 'unreadable'],
    ['no answer in time', new ErrorTimeout('Network timed out'), 'unreachable'],
    ['no session at the provider', new ErrorResponse({ error: 'login_required' }), 'over'],
    ['a used refresh token', new ErrorResponse({ error: 'invalid_grant' }), 'over'],
    ['a relay that is at its limit', new ErrorResponse({ error: 'temporarily_unavailable' }), 'busy'],
    ['a relay whose provider is down', new ErrorResponse({ error: 'server_error' }), 'busy'],
    ['a proxy before the provider', new Error('Bad Gateway (502)'), 'busy'],
    // Behind HTTP/2 an answer has no words beside its status.
    ['a status with nothing beside it', new Error('Bad Request (400)'), 'garbled'],
    ['a status over HTTP/2', new Error(' (403)'), 'garbled'],
    ['a status with JSON of somebody else', new Error('Bad Request (400): {}'), 'garbled'],
    [
      'a page of a proxy',
      new Error('Invalid response Content-Type: text/html, from URL: https://id.example/token'),
      'garbled',
    ],
    ['half an answer', new SyntaxError('Unexpected end of JSON input'), 'garbled'],
    ['a no of the provider', new ErrorResponse({ error: 'access_denied' }), 'refused'],
    ['a forged ID token', new IdTokenError('The ID token has expired.'), 'untrusted'],
    ['another nonce', new Error('nonce in id_token does not match nonce in client storage'), 'untrusted'],
    ['a mistake of ours', new TypeError('x is not a function'), 'unknown'],
    ['something else', new Error('odd'), 'unknown'],
    ['something else still', 'odd', 'unknown'],
  ])('by %s is told apart', (_, error, kind) => {
    vi.stubGlobal('isSecureContext', true);
    expect(signInProblem(error).kind).toBe(kind);
  });

  // The library tells these by their texts only. A new version that words them anew fails here.
  it('by a blocked window is told apart', async () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('open', () => null);
    expect(await problemOf(manager().signinPopup())).toMatchObject({ kind: 'blocked' });
  });

  it('by giving up on the window is told apart', async () => {
    vi.stubGlobal('isSecureContext', true);
    const giveUp = new AbortController();
    const replace = () => setTimeout(() => giveUp.abort('Popup aborted'));
    vi.stubGlobal('open', () => ({ close: ignore, focus: ignore, closed: false, location: { replace } }));
    expect(await problemOf(manager().signinPopup({ popupSignal: giveUp.signal }))).toMatchObject({ kind: 'cancelled' });
  });

  it('by an answer that this tab did not ask for is told apart', async () => {
    vi.stubGlobal('isSecureContext', true);
    const page = 'https://waypost.example/auth/callback';
    expect(await problemOf(manager().signinCallback(`${page}?code=1&state=unknown`))).toMatchObject({ kind: 'stale' });
    expect(await problemOf(manager().signinCallback(`${page}?code=1`))).toMatchObject({ kind: 'stale' });
  });

  it('by an address without https is told apart, whatever else it says', () => {
    vi.stubGlobal('isSecureContext', false);
    expect(signInProblem(new TypeError('crypto.subtle is undefined')).kind).toBe('insecure');
  });
});

// The library tells these by their texts only, too.
it.each([
  ['a status alone', new Response(null, { status: 400, statusText: 'Bad Request' })],
  ['a status over HTTP/2', new Response('', { status: 403, headers: { 'content-type': 'application/json' } })],
  [
    'a status and a text',
    new Response('Go away.', { status: 400, statusText: 'Bad Request', headers: { 'content-type': '' } }),
  ],
  ['a status and other JSON', Response.json({ message: 'Forbidden' }, { status: 403 })],
  ['a page of a proxy', new Response('<h1>Sorry</h1>', { status: 200, headers: { 'content-type': 'text/html' } })],
  ['half an answer', new Response('{"issuer":', { status: 200, headers: { 'content-type': 'application/json' } })],
])('an answer that is no protocol is said in a sentence, and the cause is behind it: %s', async (_, answer) => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('fetch', async () => answer);
  const unknown = new UserManager({
    authority: 'https://id.example',
    client_id: 'waypost',
    redirect_uri: 'https://waypost.example/',
  });
  const problem = await problemOf(unknown.metadataService.getMetadata());
  expect(problem).toMatchObject({ kind: 'garbled', cause: expect.stringMatching(/\w/) });
  expect(problem && sayProblem(problem, 'Acme')).toMatch(/^Acme returned an unexpected sign-in response\. Try again/);
});

it('a refusal quotes the provider and its code, and says what to do', () => {
  const refused = { kind: 'refused', code: 'access_denied', reason: 'Not on Sundays.' } as const;
  const quoted = 'Acme rejected the sign-in: Not on Sundays (access_denied).';
  expect(sayProblem(refused, 'Acme')).toBe(`${quoted} Sign in with a different account, or request access.`);
  const wrong = sayProblem({ ...refused, code: 'invalid_scope' }, 'Acme');
  expect(wrong).toContain('waypost doctor oidc');
});

it('a sentence about a failure holds no token', () => {
  const token = jwt({ sub: 'ada' });
  for (const error of [new Error(token), new ErrorResponse({ error: 'odd', error_description: token })]) {
    const problem = signInProblem(error);
    expect(sayProblem(problem, 'Acme') + JSON.stringify(problem)).not.toContain(token.slice(0, 12));
  }
});
