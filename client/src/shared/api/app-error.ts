/**
 * Tells failures apart. Everything that can go wrong between the browser and the server becomes one `AppError`:
 *
 * - `network`: no answer arrived (offline, refused, cut);
 * - `protocol`: an answer arrived, but it was not GraphQL (a proxy's page, a bare status, a broken stream);
 * - `graphql`: the server understood and said no, with a code of the schema's catalogue;
 * - `aborted`: the request was stopped or took too long;
 * - `unknown`: a mistake of our own.
 */
import type { ErrorLike } from '@apollo/client';
import {
  CombinedGraphQLErrors,
  CombinedProtocolErrors,
  LinkError,
  ServerError,
  ServerParseError,
} from '@apollo/client/errors';
import { errorCatalogue, isErrorCode, type ErrorCode, type OperationErrors, type Slots } from '../../generated/errors';
import type { Violation } from '../../generated/traitql';
import { t } from '../i18n/en/errors';

interface Common {
  /** A sentence for the person. */
  readonly message: string;
  /** Whether the same request may succeed later without anybody doing anything. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** What to quote to an operator: the request id of the server's log. */
  readonly reference?: string;
  readonly cause: unknown;
}

export type AppError = Common &
  (
    | { readonly kind: 'network'; readonly code: 'OFFLINE' | 'UNREACHABLE' }
    | { readonly kind: 'protocol'; readonly code: string; readonly status?: number }
    | {
        readonly kind: 'graphql';
        /** Null for a code that this client does not know: the server is newer. */
        readonly code: ErrorCode | null;
        readonly slots: Readonly<Record<string, string>>;
        readonly violations: readonly Violation[];
        /** Why the server takes no token of this session, as a sentence. */
        readonly refusal?: string;
      }
    | { readonly kind: 'aborted'; readonly code: 'ABORTED' | 'TIMEOUT' }
    | { readonly kind: 'unknown'; readonly code: 'CLIENT_BUG' }
  );

/** Whether an operation failed with a code that its fields declare; another code, or a misspelt one, does not compile. */
export const failedWith = <Operation extends keyof OperationErrors>(
  error: AppError | null,
  code: OperationErrors[Operation],
): boolean => error?.kind === 'graphql' && error.code === code;

/** Whether the server refused for a reason that its answer says: its log knows no more. */
export const isPlainRefusal = (error: AppError): boolean =>
  error.kind === 'graphql' &&
  error.code !== null &&
  error.refusal === undefined &&
  errorCatalogue[error.code].http < 500;

interface WireError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

export function toAppError(error: unknown): AppError {
  if (CombinedGraphQLErrors.is(error)) return fromAnswer(error.errors[0], error);
  if (CombinedProtocolErrors.is(error)) {
    const code = error.errors[0]?.extensions?.['code'];
    return {
      kind: 'protocol',
      code: typeof code === 'string' ? code : 'STREAM_BROKEN',
      message: t.streamBroken,
      retryable: true,
      cause: error,
    };
  }
  if (ServerError.is(error)) return fromStatus(error);
  if (ServerParseError.is(error)) {
    return {
      kind: 'protocol',
      code: 'UNREADABLE_ANSWER',
      status: error.statusCode,
      message: t.unreadable,
      retryable: true,
      ...referenceOf(error.response),
      cause: error,
    };
  }
  const name = isErrorLike(error) ? error.name : '';
  if (name === 'AbortError' || name === 'TimeoutError') {
    const timeout = name === 'TimeoutError';
    return {
      kind: 'aborted',
      code: timeout ? 'TIMEOUT' : 'ABORTED',
      message: timeout ? t.timeout : t.stopped,
      retryable: timeout,
      cause: error,
    };
  }
  if (LinkError.is(error) || isTransportError(error) || isMissingChunk(error)) {
    const offline = globalThis.navigator?.onLine === false;
    return {
      kind: 'network',
      code: offline ? 'OFFLINE' : 'UNREACHABLE',
      message: offline ? t.offline : t.unreachable,
      retryable: true,
      cause: error,
    };
  }
  return {
    kind: 'unknown',
    code: 'CLIENT_BUG',
    message: isErrorLike(error) ? error.message : t.unexpected,
    retryable: false,
    cause: error,
  };
}

/** Apollo registers an error as one of the link chain only at the chain's end; the links on the way have to know it too. */
const transportErrors = new WeakSet<object>();

export function markTransportError(error: unknown): void {
  if (typeof error === 'object' && error !== null) transportErrors.add(error);
}

const isTransportError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && transportErrors.has(error);

function fromAnswer(first: WireError | undefined, cause: unknown): AppError {
  const extensions = first?.extensions ?? {};
  const slots = textsOf(extensions['slots']);
  const violations = violationsOf(extensions['violations']);
  const requestId = extensions['requestId'];
  const code = isErrorCode(extensions['code']) ? extensions['code'] : null;
  const broken = code === 'INVALID_INPUT' && violations.length > 0 ? violations.map(asSentence).join(' ') : null;
  const seconds = Number(slots['seconds']);
  const reason = code === 'UNAUTHENTICATED' ? extensions['reason'] : null;
  return {
    kind: 'graphql',
    code,
    slots,
    violations,
    ...(typeof reason === 'string' ? { refusal: reason } : {}),
    message: broken ?? (code && sentenceFor(code, slots)) ?? first?.message ?? t.noReason,
    retryable: code !== null && ['LATER', 'SAME_REQUEST'].includes(errorCatalogue[code].retry),
    ...(code === 'RATE_LIMITED' && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    ...(typeof requestId === 'string' ? { reference: requestId } : {}),
    cause,
  };
}

/** A status without GraphQL, unless the body is a GraphQL answer after all: with `accept: *` errors come as plain JSON. */
function fromStatus(error: ServerError): AppError {
  const answer = parse(error.bodyText);
  if (answer && isErrorCode(answer.extensions?.['code'])) return fromAnswer(answer, error);
  const seconds = Number(error.response.headers.get('retry-after'));
  return {
    kind: 'protocol',
    code: `HTTP_${error.statusCode}`,
    status: error.statusCode,
    message: error.statusCode < 300 ? t.noGraphql : t.status(error.statusCode),
    retryable: error.statusCode === 429 || error.statusCode >= 500,
    ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    ...referenceOf(error.response),
    cause: error,
  };
}

function parse(body: string): WireError | null {
  try {
    const value: unknown = JSON.parse(body);
    const errors = isRecord(value) ? value['errors'] : undefined;
    const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
    if (!isRecord(first) || typeof first['message'] !== 'string') return null;
    return { message: first['message'], extensions: isRecord(first['extensions']) ? first['extensions'] : undefined };
  } catch {
    return null;
  }
}

function referenceOf(response: Response): { reference?: string } {
  const reference = response.headers.get('x-request-id');
  return reference ? { reference } : {};
}

/** A part of the application could not be loaded: also a network error, though no request of ours failed. */
const isMissingChunk = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

const asSentence = ({ path, problem }: Violation) => `${path}: ${t.problem(problem)}.`;

/** A sentence of the catalogue that came with its slots filled in, such as a tour's problem, in the language shown. */
export function retold(code: string, message: string): string {
  if (!isErrorCode(code)) return message;
  const slots = slotsIn(code, message);
  return (slots && sentenceFor(code, slots)) ?? message;
}

/** What fills the slots of a code's sentence; null for another sentence. */
function slotsIn(code: ErrorCode, message: string): Readonly<Record<string, string>> | null {
  const [first = '', ...rest] = errorCatalogue[code].say.split(/\{(\w+)\}/).map((part, index) =>
    // Between the texts are the names of the slots.
    index % 2 === 0 ? part.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`) : `(?<${part}>.*)`,
  );
  const found = new RegExp(`^${first}${rest.join('')}$`, 's').exec(message);
  return found && { ...found.groups };
}

/** What fills a slot may be a sentence of the catalogue itself, without its code: of those that fit, it is the one that says most. */
function slotRetold(text: string): string {
  const [code] = Object.keys(errorCatalogue)
    .filter(isErrorCode)
    .filter(each => slotsIn(each, text) !== null)
    .toSorted((a, b) => errorCatalogue[b].say.length - errorCatalogue[a].say.length);
  return code ? retold(code, text) : text;
}

/** Null when a slot has no value. */
function sentenceFor(code: ErrorCode, slots: Readonly<Record<string, string>>): string | null {
  const told = Object.fromEntries(Object.entries(slots).map(([name, text]) => [name, slotRetold(text)]));
  return errorCatalogue[code].slots.every(slot => Object.hasOwn(slots, slot))
    ? t.sentence(code, told as Slots<ErrorCode>)
    : null;
}

function textsOf(value: unknown): Record<string, string> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)])) : {};
}

function violationsOf(value: unknown): Violation[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(each => ({
    path: Array.isArray(each['path']) ? each['path'].join('.') : String(each['path'] ?? ''),
    problem: String(each['problem'] ?? ''),
    rule: String(each['rule'] ?? ''),
  }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isErrorLike = (value: unknown): value is ErrorLike =>
  isRecord(value) && typeof value['message'] === 'string' && typeof value['name'] === 'string';
