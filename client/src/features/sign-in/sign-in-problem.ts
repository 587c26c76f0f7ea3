/** Why a sign-in or a renewal did not work, told apart by what the person can do about it. */
import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts';
import { t } from '../../shared/i18n/en/auth';
import { isUnanswered, CorsError } from './cors-error';
import { causeOf, withoutSecrets } from './error-cause';
import { IdTokenError } from './id-token';

export type SignInProblem = Reason & {
  /** What the error said, without secrets. */
  cause?: string;
};

export type Reason =
  /** The browser did not open the window. */
  | { kind: 'blocked' }
  /** The window was closed, or a page in it isolates itself: no browser tells which. */
  | { kind: 'lost' }
  /** The person gave up waiting for the window. */
  | { kind: 'cancelled' }
  /** The provider does not answer. */
  | { kind: 'unreachable' }
  /** The provider answers, and does not let this page read it. */
  | { kind: 'unreadable' }
  /** The provider, or the token relay before it, answers that it cannot answer now. */
  | { kind: 'busy' }
  /** What answers is not the provider's protocol: a status with nothing beside it, a page of a proxy. */
  | { kind: 'garbled' }
  /** The provider has no session that could be continued without the person. */
  | { kind: 'over' }
  /** The provider said no. */
  | { kind: 'refused'; code: string; reason: string | null }
  /** The answer is not one that this application may accept. */
  | { kind: 'untrusted'; reason: string }
  /** The answer belongs to a sign-in that this tab does not know (any more). */
  | { kind: 'stale' }
  /** The page was not loaded safely, so the browser offers no cryptography. */
  | { kind: 'insecure' }
  | { kind: 'unknown'; reason: string };

/**
 * Error codes by which a provider says that the person has to take part (OpenID Connect Core, section 3.1.2.6; RFC
 * 6749).
 */
const OVER = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'invalid_grant',
]);

/** Error codes of a provider that is in trouble itself (RFC 6749, section 4.1.2.1). The token relay uses them too. */
const BUSY = new Set(['server_error', 'temporarily_unavailable']);

export function signInProblem(error: unknown): SignInProblem {
  return { ...reasonOf(error), cause: causeOf(error) };
}

/** Whether nothing is lost: the same attempt may succeed later. */
export function isPassing({ kind }: SignInProblem): boolean {
  return kind === 'unreachable' || kind === 'unreadable' || kind === 'busy' || kind === 'garbled';
}

function reasonOf(error: unknown): Reason {
  if (!window.isSecureContext) return { kind: 'insecure' };
  if (error instanceof IdTokenError) return { kind: 'untrusted', reason: error.message };
  if (error instanceof CorsError) return { kind: 'unreadable' };
  if (error instanceof ErrorTimeout || isUnanswered(error)) return { kind: 'unreachable' };
  if (error instanceof ErrorResponse) {
    const code = error.error ?? 'unknown';
    if (OVER.has(code)) return { kind: 'over' };
    if (BUSY.has(code)) return { kind: 'busy' };
    const reason = error.error_description;
    return { kind: 'refused', code, reason: reason === null ? null : withoutSecrets(reason) };
  }
  const text = error instanceof Error ? error.message : String(error);
  // oidc-client-ts tells these apart by their texts alone; a test watches over them.
  if (text.includes('disposed window')) return { kind: 'blocked' };
  if (text.includes('Popup aborted') || text.includes('Popup closed')) return { kind: 'cancelled' };
  if (text.includes('No matching state') || text.includes('No state in response')) return { kind: 'stale' };
  // The nonce, and at a renewal the subject, are checked by the library.
  if (/ in id_token|ID Token is missing/.test(text))
    return { kind: 'untrusted', reason: t.problems.idTokenRefused(text) };
  if (/timed out/i.test(text)) return { kind: 'unreachable' };
  // What oidc-client-ts says about an answer that has a status and no error code, and about one that is no JSON.
  if (/\((?:429|5\d\d)\)/.test(text)) return { kind: 'busy' };
  if (/\(4\d\d\)(?:$|: )/.test(text) || text.startsWith('Invalid response Content-Type')) return { kind: 'garbled' };
  if (error instanceof SyntaxError) return { kind: 'garbled' };
  return { kind: 'unknown', reason: withoutSecrets(text) };
}

/** The problem in words. `name` is the provider's. */
export function sayProblem(problem: SignInProblem, name: string): string {
  switch (problem.kind) {
    case 'blocked':
      return t.problems.blocked;
    case 'lost':
      return t.problems.lost;
    case 'cancelled':
      return t.problems.cancelled;
    case 'unreachable':
      return t.problems.unreachable(name);
    case 'unreadable':
      return t.problems.unreadable(name);
    case 'busy':
      return t.problems.busy(name);
    case 'garbled':
      return t.problems.garbled(name);
    case 'over':
      return t.problems.over(name);
    case 'refused':
      return t.problems.refused(name, withStop(problem.reason ?? problem.code, problem.code), adviceFor(problem.code));
    case 'untrusted':
      return t.problems.untrusted(problem.reason);
    case 'stale':
      return t.problems.stale;
    case 'insecure':
      return t.problems.insecure;
    case 'unknown':
      return t.problems.unknown(problem.reason.replace(/\.$/, ''));
    default:
      return problem satisfies never;
  }
}

function withStop(reason: string, code: string): string {
  return `${reason.replace(/\.$/, '')} (${code}).`;
}

/** Whether the person or the operator can do something about it. */
function adviceFor(code: string): string {
  return code === 'access_denied' ? t.problems.otherAccount : t.problems.wrongSettings;
}
