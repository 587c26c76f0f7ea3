/**
 * Every failure of a request is one `AppError`:
 *
 * - `network`: no response (offline, connection refused or closed);
 * - `protocol`: a response that is not GraphQL (a proxy's error page, an HTTP error, a broken stream);
 * - `graphql`: the server rejected the request with a code of the schema;
 * - `aborted`: the request was aborted or timed out;
 * - `unknown`: a bug of the client.
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

interface ErrorBase {
  readonly message: string;
  /** True if the same request may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The id of the request in the server's log. */
  readonly reference?: string;
  /** True if the session ended elsewhere, so that the token must not be renewed. */
  readonly sessionEnded?: boolean;
  readonly cause: unknown;
}

export type AppError = ErrorBase &
  (
    | { readonly kind: 'network'; readonly code: 'OFFLINE' | 'UNREACHABLE' }
    | { readonly kind: 'protocol'; readonly code: string; readonly status?: number }
    | {
        readonly kind: 'graphql';
        /** Null for codes of newer servers. */
        readonly code: ErrorCode | null;
        readonly slots: Readonly<Record<string, string>>;
        readonly violations: readonly Violation[];
        /** The reason why tokens of this session are rejected. */
        readonly refusal?: string;
        /** True if the server is not configured for such tokens, so that no new sign-in helps. */
        readonly unsupportedToken?: boolean;
      }
    | { readonly kind: 'aborted'; readonly code: 'ABORTED' | 'TIMEOUT' }
    | { readonly kind: 'unknown'; readonly code: 'CLIENT_BUG' }
  );

/** Undeclared codes do not compile. */
export const failedWith = <Operation extends keyof OperationErrors>(
  error: AppError | null,
  code: OperationErrors[Operation],
): boolean => error?.kind === 'graphql' && error.code === code;

/** True if the response has the reason, so that the log has no more details. */
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
  if (CombinedGraphQLErrors.is(error)) return fromGraphQLError(error.errors[0], error);
  if (CombinedProtocolErrors.is(error)) {
    const extensions = error.errors[0]?.extensions ?? {};
    const code = extensions['code'];
    const ended = sessionEndedIn(extensions);
    return {
      kind: 'protocol',
      code: typeof code === 'string' ? code : 'STREAM_BROKEN',
      message: t.streamBroken,
      retryable: ended.sessionEnded !== true,
      ...ended,
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

/** Links have to recognize errors before Apollo registers them at the end. */
const transportErrors = new WeakSet<object>();

export function markTransportError(error: unknown): void {
  if (typeof error === 'object' && error !== null) transportErrors.add(error);
}

const isTransportError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && transportErrors.has(error);

function fromGraphQLError(first: WireError | undefined, cause: unknown): AppError {
  const extensions = first?.extensions ?? {};
  const slots = toStrings(extensions['slots']);
  const violations = violationsOf(extensions['violations']);
  const requestId = extensions['requestId'];
  const code = isErrorCode(extensions['code']) ? extensions['code'] : null;
  const violationText =
    code === 'INVALID_INPUT' && violations.length > 0 ? violations.map(formatViolation).join(' ') : null;
  const seconds = Number(slots['seconds'] ?? extensions['retryAfter']);
  const reason = code === 'UNAUTHENTICATED' ? extensions['reason'] : null;
  return {
    kind: 'graphql',
    code,
    slots,
    violations,
    ...(typeof reason === 'string' ? { refusal: reason } : {}),
    ...(extensions['unsupportedToken'] === true ? { unsupportedToken: true } : {}),
    ...sessionEndedIn(extensions),
    message: violationText ?? (code && formatMessage(code, slots)) ?? first?.message ?? t.noReason,
    retryable: code !== null && ['LATER', 'SAME_REQUEST'].includes(errorCatalogue[code].retry),
    ...(code !== null && errorCatalogue[code].retry === 'LATER' && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    ...(typeof requestId === 'string' ? { reference: requestId } : {}),
    cause,
  };
}

const sessionEndedIn = (extensions: Readonly<Record<string, unknown>>): { sessionEnded?: true } =>
  extensions['sessionEnded'] === true ? { sessionEnded: true } : {};

/**
 * Converts an HTTP error. Its body may be a GraphQL response, because the server sends errors as JSON for `accept: *`.
 */
function fromStatus(error: ServerError): AppError {
  const wireError = parse(error.bodyText);
  if (wireError && isErrorCode(wireError.extensions?.['code'])) return fromGraphQLError(wireError, error);
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

/** A network error outside of Apollo. */
const isMissingChunk = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

const formatViolation = (violation: Violation) => `${violation.path}: ${t.problem(violation)}.`;

/** Accepts a message whose slots are filled in, such as a problem of a tour. */
export const localizeMessage = (code: string, message: string): string => t.filled(code, message);

const formatMessage = (code: ErrorCode, slots: Readonly<Record<string, string>>): string | null =>
  hasSlots(code, slots) ? t.sentence(code, slots) : null;

const hasSlots = (code: ErrorCode, slots: Readonly<Record<string, string>>): slots is Slots<ErrorCode> =>
  errorCatalogue[code].slots.every(slot => Object.hasOwn(slots, slot));

function toStrings(value: unknown): Record<string, string> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)])) : {};
}

function violationsOf(value: unknown): Violation[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(each => ({
    path: Array.isArray(each['path']) ? each['path'].join('.') : String(each['path'] ?? ''),
    problem: String(each['problem'] ?? ''),
    rule: String(each['rule'] ?? ''),
    params: isRecord(each['params']) ? each['params'] : {},
  }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isErrorLike = (value: unknown): value is ErrorLike =>
  isRecord(value) && typeof value['message'] === 'string' && typeof value['name'] === 'string';
