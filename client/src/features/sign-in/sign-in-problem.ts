/** Reasons for the failure of a sign-in or a renewal, classified by what the user can do. */
import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts';
import { t } from '../../shared/i18n/en/auth';
import { isNetworkError, CorsError } from './cors-error';
import { causeOf, withoutSecrets } from './error-cause';
import { IdTokenError } from './id-token';

export type SignInProblem = Reason & {
  /** The technical cause, without secrets. */
  cause?: string;
};

export type Reason =
  /** The browser did not open the window. */
  | { kind: 'blocked' }
  /** The window was closed, or its page has a Cross-Origin-Opener-Policy. Browsers do not distinguish these cases. */
  | { kind: 'lost' }
  /** The user cancelled waiting for the window. */
  | { kind: 'cancelled' }
  /** The provider does not respond. */
  | { kind: 'unreachable' }
  /** The provider responds, but CORS does not allow this page to read the response. */
  | { kind: 'unreadable' }
  /** The provider or the token relay is temporarily unavailable. */
  | { kind: 'busy' }
  /** The response is not OpenID Connect, such as a status without a body or a proxy's error page. */
  | { kind: 'garbled' }
  /** The provider has no session that can be continued without interaction. */
  | { kind: 'over' }
  /** The provider rejected the request. */
  | { kind: 'refused'; code: string; reason: string | null }
  /** The response failed a security check. */
  | { kind: 'untrusted'; reason: string }
  /** The response belongs to a sign-in that is unknown to this tab. */
  | { kind: 'stale' }
  /** The page is not in a secure context, so that the Web Crypto API is missing. */
  | { kind: 'insecure' }
  | { kind: 'unknown'; reason: string };

/** Error codes of requests that require interaction (OpenID Connect Core, section 3.1.2.6; RFC 6749). */
const INTERACTION_ERRORS = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'invalid_grant',
]);

/** Error codes of temporary failures (RFC 6749, section 4.1.2.1), which the token relay uses, too. */
const TEMPORARY_ERRORS = new Set(['server_error', 'temporarily_unavailable']);

export function signInProblem(error: unknown): SignInProblem {
  return { ...reasonOf(error), cause: causeOf(error) };
}

/** True if the same attempt may succeed later. */
export function isTemporary({ kind }: SignInProblem): boolean {
  return kind === 'unreachable' || kind === 'unreadable' || kind === 'busy' || kind === 'garbled';
}

function reasonOf(error: unknown): Reason {
  if (!window.isSecureContext) return { kind: 'insecure' };
  if (error instanceof IdTokenError) return { kind: 'untrusted', reason: error.message };
  if (error instanceof CorsError) return { kind: 'unreadable' };
  if (error instanceof ErrorTimeout || isNetworkError(error)) return { kind: 'unreachable' };
  if (error instanceof ErrorResponse) {
    const code = error.error ?? 'unknown';
    if (INTERACTION_ERRORS.has(code)) return { kind: 'over' };
    if (TEMPORARY_ERRORS.has(code)) return { kind: 'busy' };
    const reason = error.error_description;
    return { kind: 'refused', code, reason: reason === null ? null : withoutSecrets(reason) };
  }
  const text = error instanceof Error ? error.message : String(error);
  // oidc-client-ts distinguishes these errors by their messages only. Tests check that these have not changed.
  if (text.includes('disposed window')) return { kind: 'blocked' };
  if (text.includes('Popup aborted') || text.includes('Popup closed')) return { kind: 'cancelled' };
  if (text.includes('No matching state') || text.includes('No state in response')) return { kind: 'stale' };
  // The library checks the nonce and, in renewals, the subject.
  if (/ in id_token|ID Token is missing/.test(text))
    return { kind: 'untrusted', reason: t.problems.idTokenRefused(text) };
  if (/timed out/i.test(text)) return { kind: 'unreachable' };
  // Messages of oidc-client-ts for responses without an error code and for responses that are not JSON.
  if (/\((?:429|5\d\d)\)/.test(text)) return { kind: 'busy' };
  if (/\(4\d\d\)(?:$|: )/.test(text) || text.startsWith('Invalid response Content-Type')) return { kind: 'garbled' };
  if (error instanceof SyntaxError) return { kind: 'garbled' };
  return { kind: 'unknown', reason: withoutSecrets(text) };
}

/** Returns the message of a problem. `name` is the provider's name. */
export function formatProblem(problem: SignInProblem, name: string): string {
  switch (problem.kind) {
    case 'blocked':
      return t.problems.blocked;
    case 'lost':
      return t.problems.popupLost;
    case 'cancelled':
      return t.problems.cancelled;
    case 'unreachable':
      return t.problems.unreachable(name);
    case 'unreadable':
      return t.problems.unreadable(name);
    case 'busy':
      return t.problems.temporarilyUnavailable(name);
    case 'garbled':
      return t.problems.unexpectedResponse(name);
    case 'over':
      return t.problems.sessionEnded(name);
    case 'refused':
      return t.problems.refused(
        name,
        formatReason(problem.reason ?? problem.code, problem.code),
        adviceFor(problem.code),
      );
    case 'untrusted':
      return t.problems.untrusted(problem.reason);
    case 'stale':
      return t.problems.outdated;
    case 'insecure':
      return t.problems.insecure;
    case 'unknown':
      return t.problems.unknown(problem.reason.replace(/\.$/, ''));
    default:
      return problem satisfies never;
  }
}

function formatReason(reason: string, code: string): string {
  return `${reason.replace(/\.$/, '')} (${code}).`;
}

/** Returns advice for the user or for the operator. */
function adviceFor(code: string): string {
  return code === 'access_denied' ? t.problems.otherAccount : t.problems.wrongSettings;
}
