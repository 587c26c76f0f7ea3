import { CombinedGraphQLErrors, CombinedProtocolErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { afterEach, describe, expect, it } from 'vitest';
import { errorCatalogue, errorMessage } from '../../generated/errors';
import { fillSlots } from '../../generated/traitql';
import { showLanguage } from '../i18n/language';
import { isPlainRefusal, markTransportError, localizeMessage, toAppError } from './app-error';

const graphql = (message: string, extensions: Record<string, unknown>) =>
  new CombinedGraphQLErrors({ errors: [{ message, extensions }], data: null });

const httpError = (status: number, body: string, headers: Record<string, string> = {}) =>
  new ServerError('not GraphQL', { response: new Response(null, { status, headers }), bodyText: body });

describe('an error of the schema', () => {
  it('has the message with its slots filled in and the request id', () => {
    const error = toAppError(graphql('x', { code: 'SLUG_TAKEN', slots: { slug: 'returns' }, requestId: 'r-1' }));
    expect(error).toMatchObject({
      kind: 'graphql',
      code: 'SLUG_TAKEN',
      message: 'Another tour of this workspace has the slug “returns”. Choose a different slug.',
      retryable: false,
      reference: 'r-1',
    });
  });

  it('keeps the message of the server if a slot is missing or the code is unknown', () => {
    expect(toAppError(graphql('Taken.', { code: 'SLUG_TAKEN' })).message).toBe('Taken.');
    expect(toAppError(graphql('Something new.', { code: 'FROM_THE_FUTURE' }))).toMatchObject({
      code: null,
      message: 'Something new.',
    });
  });

  it('contains the delay of a rate limit', () => {
    expect(toAppError(graphql('x', { code: 'RATE_LIMITED', slots: { seconds: '12' } }))).toMatchObject({
      retryable: true,
      retryAfterMs: 12_000,
    });
  });

  it('contains the delay of an outage', () => {
    const outage = { code: 'UNAVAILABLE', slots: { problem: 'the database is busy' }, retryAfter: 5 };
    expect(toAppError(graphql('x', outage))).toMatchObject({ retryable: true, retryAfterMs: 5000 });
  });

  it('uses the singular', async () => {
    const first = 'Add at least one step.';
    const blocked = (count: string) =>
      toAppError(graphql('x', { code: 'HAS_BLOCKERS', slots: { count, first } })).message;
    expect(blocked('2')).toBe(`Blocking problems: 2. Fix this one first: ${first}`);
    await showLanguage('de');
    expect(blocked('1')).toBe('Beheben Sie zuerst dieses Problem: Fügen Sie mindestens einen Schritt hinzu.');
    expect(blocked('2')).toBe('Beheben Sie zuerst 2 Probleme. Das erste: Fügen Sie mindestens einen Schritt hinzu.');
    await showLanguage('en');
  });

  it('is a plain refusal unless the log has more details', () => {
    const isPlain = (extensions: Record<string, unknown>) => isPlainRefusal(toAppError(graphql('x', extensions)));
    expect(isPlain({ code: 'SLUG_TAKEN' })).toBe(true);
    expect(isPlain({ code: 'UNAUTHENTICATED' })).toBe(true);
    expect(isPlain({ code: 'UNAUTHENTICATED', reason: 'Made for another service.' })).toBe(false);
    expect(isPlain({ code: 'INTERNAL' })).toBe(false);
    expect(isPlain({ code: 'FROM_THE_FUTURE' })).toBe(false);
    expect(isPlainRefusal(toAppError(httpError(502, 'x')))).toBe(false);
  });

  it('lists every violated constraint', () => {
    const violations = [
      { path: 'input.title', problem: 'must not be empty', rule: 'length', params: { min: 1 } },
      { path: 'input.slug', problem: 'is required', rule: 'required', params: {} },
    ];
    const error = toAppError(graphql('x', { code: 'INVALID_INPUT', violations }));
    expect(error).toMatchObject({ violations, message: 'input.title: must not be empty. input.slug: is required.' });
  });

  it('is recognized in the body of an HTTP error', () => {
    const body = JSON.stringify({ errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(toAppError(httpError(401, body))).toMatchObject({ kind: 'graphql', code: 'UNAUTHENTICATED' });
    const extensions = { code: 'UNAUTHENTICATED', reason: 'The access token was made for another service.' };
    const refused = JSON.stringify({ errors: [{ message: 'x', extensions }] });
    expect(toAppError(httpError(401, refused))).toMatchObject({ refusal: extensions.reason });
  });
});

describe('a response that is not GraphQL', () => {
  it('is a protocol error with its status and request id', () => {
    const error = toAppError(httpError(502, '<h1>Bad gateway</h1>', { 'x-request-id': 'r-2', 'retry-after': '3' }));
    expect(error).toMatchObject({
      kind: 'protocol',
      code: 'HTTP_502',
      status: 502,
      retryable: true,
      retryAfterMs: 3000,
      reference: 'r-2',
    });
    expect(toAppError(httpError(404, 'no'))).toMatchObject({ kind: 'protocol', retryable: false });
  });

  it('is a protocol error if it is HTML or if a stream broke', () => {
    const page = new ServerParseError(new SyntaxError('<'), { response: new Response(), bodyText: '<html>' });
    expect(toAppError(page)).toMatchObject({ kind: 'protocol', code: 'UNREADABLE_ANSWER' });
    const stream = new CombinedProtocolErrors([{ message: 'lost', extensions: { code: 'UNAVAILABLE' } }]);
    expect(toAppError(stream)).toMatchObject({ kind: 'protocol', code: 'UNAVAILABLE', retryable: true });
  });

  it('of a session that ended elsewhere is not retried', () => {
    const extensions = { code: 'UNAUTHENTICATED', sessionEnded: true };
    const stream = new CombinedProtocolErrors([{ message: 'ended', extensions }]);
    expect(toAppError(stream)).toMatchObject({ code: 'UNAUTHENTICATED', sessionEnded: true, retryable: false });
  });
});

describe('a missing response', () => {
  it('is a network error', () => {
    const refused = new TypeError('Failed to fetch');
    markTransportError(refused);
    expect(toAppError(refused)).toMatchObject({ kind: 'network', code: 'UNREACHABLE', retryable: true });
  });

  it('is a network error if a chunk of the application could not be loaded', () => {
    expect(toAppError(new TypeError('Failed to fetch dynamically imported module: x.js')).kind).toBe('network');
  });

  it('differs from an aborted request and from a bug of the client', () => {
    expect(toAppError(new DOMException('x', 'AbortError'))).toMatchObject({ kind: 'aborted', retryable: false });
    expect(toAppError(new DOMException('x', 'TimeoutError'))).toMatchObject({ kind: 'aborted', retryable: true });
    expect(toAppError(new TypeError('x is undefined'))).toMatchObject({ kind: 'unknown', message: 'x is undefined' });
    expect(toAppError('odd').kind).toBe('unknown');
  });
});

describe('the error catalog', () => {
  it('has a message for every code that contains every slot', () => {
    for (const [code, { message, slots }] of Object.entries(errorCatalogue)) {
      expect(message, code).toMatch(/[.:}]$/);
      for (const slot of slots) expect(message, code).toContain(`{${slot}}`);
    }
  });

  it('returns no message if a slot is missing', () => {
    expect(fillSlots(errorCatalogue.NOT_FOUND.message, {})).toBeNull();
    expect(errorMessage('NOT_FOUND', { thing: 'tour' })).toBe(
      'This tour does not exist, or you have no access to it. Check the link, or ask an administrator of the workspace.',
    );
  });
});

describe('in German', () => {
  afterEach(() => showLanguage('en'));

  it('translates by code, slots and rule', async () => {
    await showLanguage('de');
    const taken = graphql('The address “x” is taken in this workspace.', { code: 'SLUG_TAKEN', slots: { slug: 'x' } });
    expect(toAppError(taken).message).toBe(
      'Eine andere Tour dieses Arbeitsbereichs hat den Slug „x“. Wählen Sie einen anderen.',
    );
    const broken = graphql('x', {
      code: 'INVALID_INPUT',
      violations: [{ path: 'input.title', problem: 'must not be empty', rule: 'length', params: { min: 1 } }],
    });
    expect(toAppError(broken).message).toBe('input.title: darf nicht leer sein.');
  });

  it('keeps the message of the server if a slot is missing or the code is unknown', async () => {
    await showLanguage('de');
    expect(toAppError(graphql('Taken.', { code: 'SLUG_TAKEN' })).message).toBe('Taken.');
    expect(toAppError(graphql('New.', { code: 'BRAND_NEW' })).message).toBe('New.');
  });

  it('translates a message whose slots are filled in', async () => {
    const long = 'The text of “Wait (now)” is long. Few visitors read more than 400 characters in a popover.';
    expect(localizeMessage('LONG_BODY', long)).toBe(long);
    const link = errorMessage('BROKEN_LINK', { step: 'Hello', link: '[a](https://)' });
    expect(localizeMessage('BROKEN_LINK', link)).toMatch(
      /“Hello”, \[a\]\(https:\/\/\) is shown .* http:\/\/ or mailto:\.$/,
    );
    await showLanguage('de');
    expect(localizeMessage('BROKEN_LINK', link)).toMatch(/„Hello“ erscheint \[a\]\(https:\/\/\) .* beginnt\.$/);
    expect(localizeMessage('LONG_BODY', long)).toContain('Der Text von „Wait (now)“ ist lang');
    expect(localizeMessage('LONG_BODY', 'Something else.')).toBe('Something else.');
    expect(localizeMessage('BRAND_NEW', 'Something else.')).toBe('Something else.');
  });

  it('translates a message that fills a slot', async () => {
    await showLanguage('de');
    const first = errorMessage('TARGET_REQUIRED', { step: 'Note: pay here.' });
    const blocked = toAppError(graphql('x', { code: 'HAS_BLOCKERS', slots: { count: '1', first } }));
    expect(blocked.message).toBe(
      'Beheben Sie zuerst dieses Problem: Schritt „Note: pay here.“ hat kein Element. Wählen Sie eines.',
    );
    expect(blocked).toMatchObject({ slots: { first } });
  });

  it('has a translation for every code', async () => {
    // The message of INVALID_INPUT consists of its violations.
    const codes = Object.entries(errorCatalogue).filter(([code]) => code !== 'INVALID_INPUT');
    const messages = () =>
      codes.map(
        ([code, { slots }]) =>
          toAppError(graphql('x', { code, slots: Object.fromEntries(slots.map(slot => [slot, 'x'])) })).message,
      );
    const english = messages();
    await showLanguage('de');
    const german = messages();
    expect(german.filter((sentence, index) => sentence === english[index])).toEqual([]);
  });
});
