import { CombinedGraphQLErrors, CombinedProtocolErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { afterEach, describe, expect, it } from 'vitest';
import { errorCatalogue, sentenceOf } from '../../generated/errors';
import { fillSlots } from '../../generated/traitql';
import { showLanguage } from '../i18n/language';
import { isPlainRefusal, markTransportError, retold, toAppError } from './app-error';

const graphql = (message: string, extensions: Record<string, unknown>) =>
  new CombinedGraphQLErrors({ errors: [{ message, extensions }], data: null });

const answered = (status: number, body: string, headers: Record<string, string> = {}) =>
  new ServerError('not GraphQL', { response: new Response(null, { status, headers }), bodyText: body });

describe('an error of the schema', () => {
  it('says its sentence with the slots filled in, and names the request', () => {
    const error = toAppError(graphql('x', { code: 'SLUG_TAKEN', slots: { slug: 'returns' }, requestId: 'r-1' }));
    expect(error).toMatchObject({
      kind: 'graphql',
      code: 'SLUG_TAKEN',
      message: 'The address “returns” is already used in this workspace. Choose another one.',
      retryable: false,
      reference: 'r-1',
    });
  });

  it('keeps the words of the server when a slot or the code is unknown here', () => {
    expect(toAppError(graphql('Taken.', { code: 'SLUG_TAKEN' })).message).toBe('Taken.');
    expect(toAppError(graphql('Something new.', { code: 'FROM_THE_FUTURE' }))).toMatchObject({
      code: null,
      message: 'Something new.',
    });
  });

  it('says when a limit of requests allows the next one', () => {
    expect(toAppError(graphql('x', { code: 'RATE_LIMITED', slots: { seconds: '12' } }))).toMatchObject({
      retryable: true,
      retryAfterMs: 12_000,
    });
  });

  it('counts in the singular too', async () => {
    const first = 'Add at least one step.';
    const blocked = (count: string) =>
      toAppError(graphql('x', { code: 'HAS_BLOCKERS', slots: { count, first } })).message;
    expect(blocked('2')).toBe(`Blocking problems: 2. Fix this one first: ${first}`);
    await showLanguage('de');
    expect(blocked('1')).toBe('Beheben Sie zuerst dieses Problem: Fügen Sie mindestens einen Schritt hinzu.');
    expect(blocked('2')).toBe('Beheben Sie zuerst 2 Probleme. Das erste: Fügen Sie mindestens einen Schritt hinzu.');
    await showLanguage('en');
  });

  it('is a plain refusal, unless somebody has to look into the log', () => {
    const isPlain = (extensions: Record<string, unknown>) => isPlainRefusal(toAppError(graphql('x', extensions)));
    expect(isPlain({ code: 'SLUG_TAKEN' })).toBe(true);
    expect(isPlain({ code: 'UNAUTHENTICATED' })).toBe(true);
    expect(isPlain({ code: 'UNAUTHENTICATED', reason: 'Made for another service.' })).toBe(false);
    expect(isPlain({ code: 'INTERNAL' })).toBe(false);
    expect(isPlain({ code: 'FROM_THE_FUTURE' })).toBe(false);
    expect(isPlainRefusal(toAppError(answered(502, 'x')))).toBe(false);
  });

  it('lists every broken rule', () => {
    const violations = [
      { path: 'input.title', problem: 'must not be empty', rule: 'length' },
      { path: 'input.slug', problem: 'is required', rule: 'required' },
    ];
    const error = toAppError(graphql('x', { code: 'INVALID_INPUT', violations }));
    expect(error).toMatchObject({ violations, message: 'input.title: must not be empty. input.slug: is required.' });
  });

  it('is recognised behind a bare status too', () => {
    const body = JSON.stringify({ errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(toAppError(answered(401, body))).toMatchObject({ kind: 'graphql', code: 'UNAUTHENTICATED' });
    const extensions = { code: 'UNAUTHENTICATED', reason: 'The access token was made for another service.' };
    const refused = JSON.stringify({ errors: [{ message: 'x', extensions }] });
    expect(toAppError(answered(401, refused))).toMatchObject({ refusal: extensions.reason });
  });
});

describe('an answer that is not GraphQL', () => {
  it('is a protocol error with its status and reference', () => {
    const error = toAppError(answered(502, '<h1>Bad gateway</h1>', { 'x-request-id': 'r-2', 'retry-after': '3' }));
    expect(error).toMatchObject({
      kind: 'protocol',
      code: 'HTTP_502',
      status: 502,
      retryable: true,
      retryAfterMs: 3000,
      reference: 'r-2',
    });
    expect(toAppError(answered(404, 'no'))).toMatchObject({ kind: 'protocol', retryable: false });
  });

  it('is a protocol error when a page came instead of JSON, or a stream broke', () => {
    const page = new ServerParseError(new SyntaxError('<'), { response: new Response(), bodyText: '<html>' });
    expect(toAppError(page)).toMatchObject({ kind: 'protocol', code: 'UNREADABLE_ANSWER' });
    const stream = new CombinedProtocolErrors([{ message: 'lost', extensions: { code: 'UNAVAILABLE' } }]);
    expect(toAppError(stream)).toMatchObject({ kind: 'protocol', code: 'UNAVAILABLE', retryable: true });
  });
});

describe('no answer at all', () => {
  it('is a network error', () => {
    const refused = new TypeError('Failed to fetch');
    markTransportError(refused);
    expect(toAppError(refused)).toMatchObject({ kind: 'network', code: 'UNREACHABLE', retryable: true });
  });

  it('is a network error when a part of the application could not be loaded', () => {
    expect(toAppError(new TypeError('Failed to fetch dynamically imported module: x.js')).kind).toBe('network');
  });

  it('is told apart from a request that was stopped and from a mistake of our own', () => {
    expect(toAppError(new DOMException('x', 'AbortError'))).toMatchObject({ kind: 'aborted', retryable: false });
    expect(toAppError(new DOMException('x', 'TimeoutError'))).toMatchObject({ kind: 'aborted', retryable: true });
    expect(toAppError(new TypeError('x is undefined'))).toMatchObject({ kind: 'unknown', message: 'x is undefined' });
    expect(toAppError('odd').kind).toBe('unknown');
  });
});

describe('the catalogue', () => {
  it('has a sentence for every code, and a place for every slot', () => {
    for (const [code, { say, slots }] of Object.entries(errorCatalogue)) {
      expect(say, code).toMatch(/[.:}]$/);
      for (const slot of slots) expect(say, code).toContain(`{${slot}}`);
    }
  });

  it('gives no sentence with a hole in it', () => {
    expect(fillSlots(errorCatalogue.NOT_FOUND.say, {})).toBeNull();
    expect(sentenceOf('NOT_FOUND', { thing: 'tour' })).toBe('This tour does not exist, or you cannot see it.');
  });
});

describe('in German', () => {
  afterEach(() => showLanguage('en'));

  it('is said by code, slots and rule, whatever the server said', async () => {
    await showLanguage('de');
    const taken = graphql('The address “x” is taken in this workspace.', { code: 'SLUG_TAKEN', slots: { slug: 'x' } });
    expect(toAppError(taken).message).toBe('Der Slug „x“ ist in diesem Arbeitsbereich bereits vergeben.');
    const broken = graphql('x', {
      code: 'INVALID_INPUT',
      violations: [{ path: 'input.title', problem: 'must not be empty', rule: 'length' }],
    });
    expect(toAppError(broken).message).toBe('input.title: darf nicht leer sein.');
  });

  it('leaves a sentence as it came when it has a hole, or a code of a newer server', async () => {
    await showLanguage('de');
    expect(toAppError(graphql('Taken.', { code: 'SLUG_TAKEN' })).message).toBe('Taken.');
    expect(toAppError(graphql('New.', { code: 'BRAND_NEW' })).message).toBe('New.');
  });

  it('tells a sentence again that came with its slots filled in', async () => {
    const long = 'The text of “Wait (now)” is long. Few visitors read more than 400 characters in a popover.';
    expect(retold('LONG_BODY', long)).toBe(long);
    const link = sentenceOf('BROKEN_LINK', { step: 'Hello', link: '[a](https://)' });
    expect(retold('BROKEN_LINK', link)).toMatch(/“Hello”, \[a\]\(https:\/\/\) is shown .* http:\/\/ or mailto:\.$/);
    await showLanguage('de');
    expect(retold('BROKEN_LINK', link)).toMatch(/„Hello“ erscheint \[a\]\(https:\/\/\) .* beginnt\.$/);
    expect(retold('LONG_BODY', long)).toContain('Der Text von „Wait (now)“ ist lang');
    expect(retold('LONG_BODY', 'Something else.')).toBe('Something else.');
    expect(retold('BRAND_NEW', 'Something else.')).toBe('Something else.');
  });

  it('tells again what stands in a slot and is a sentence itself', async () => {
    await showLanguage('de');
    const first = sentenceOf('TARGET_REQUIRED', { step: 'Note: pay here.' });
    const blocked = toAppError(graphql('x', { code: 'HAS_BLOCKERS', slots: { count: '1', first } }));
    expect(blocked.message).toBe('Beheben Sie zuerst dieses Problem: Schritt „Note: pay here.“ hat kein Element.');
    expect(blocked).toMatchObject({ slots: { first } });
  });

  it('has other words for every code', async () => {
    const said = () =>
      Object.entries(errorCatalogue).map(
        ([code, { slots }]) =>
          toAppError(graphql('x', { code, slots: Object.fromEntries(slots.map(slot => [slot, 'must not be empty'])) }))
            .message,
      );
    const english = said();
    await showLanguage('de');
    const german = said();
    expect(german.filter((sentence, index) => sentence === english[index])).toEqual([]);
  });
});
