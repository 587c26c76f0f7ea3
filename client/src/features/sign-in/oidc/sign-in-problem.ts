/** Classified by what the user can do. */
import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts';
import { t } from '../../../shared/i18n/en/auth';
import { causeOf, withoutSecrets } from './error-cause';
import { ClockError, IdTokenError, OtherAccountError } from './id-token';
import { KeyError } from './key-error';
import { CorsError, isNetworkError, UnavailableError } from './network-cause';

export type SignInProblem = Reason & {
  /** Contains no secrets. */
  cause?: string;
};

export type Reason =
  | { kind: 'popupBlocked' }
  /** Closed, or a Cross-Origin-Opener-Policy, which browsers do not distinguish. */
  | { kind: 'popupClosed' }
  | { kind: 'cancelled' }
  /** The provider has not responded yet. The attempt continues. */
  | { kind: 'slow' }
  /** The provider does not respond. */
  | { kind: 'unreachable' }
  /** This page cannot read the response. */
  | { kind: 'corsBlocked' }
  /** An outage of the provider, a proxy or the relay. */
  | { kind: 'unavailable' }
  /** The response is not OpenID Connect, such as a status without a body. */
  | { kind: 'invalidResponse' }
  /** None that continues without interaction. */
  | { kind: 'sessionEnded' }
  /** The user or the provider has denied access. */
  | { kind: 'accessDenied'; reason: string | null }
  | { kind: 'codeExpired' }
  | { kind: 'rejected'; code: string; reason: string | null }
  /** A security check failed. */
  | { kind: 'untrusted'; reason: string }
  /** The clock of this computer or of the provider is wrong. */
  | { kind: 'wrongClock'; reason: string }
  /** The account is not the one whose sign-in was repeated. */
  | { kind: 'otherAccount' }
  /** Unknown to this tab. */
  | { kind: 'unknownState' }
  /** The Web Crypto API is missing. */
  | { kind: 'insecureContext' }
  | { kind: 'keyNotStored' }
  | { kind: 'unknown'; reason: string };

/** `silent`: with a refresh token, or `prompt=none` in a frame. */
export type RequestMode = 'interactive' | 'silent';

/** OpenID Connect Core, section 3.1.2.6. */
const SESSION_ERRORS = new Set(['login_required', 'interaction_required', 'account_selection_required']);

/** A missing consent, and an expired refresh token. */
const SILENT_SESSION_ERRORS = new Set(['consent_required', 'invalid_grant']);

const DENIAL_ERRORS = new Set(['access_denied', 'consent_required']);

/** RFC 6749, section 4.1.2.1; also of the relay. */
const TEMPORARY_ERRORS = new Set(['server_error', 'temporarily_unavailable']);

const TEMPORARY_KINDS: ReadonlySet<string> = new Set<Reason['kind']>([
  'unreachable',
  'corsBlocked',
  'unavailable',
  'invalidResponse',
]);

export function signInProblem(error: unknown, mode: RequestMode): SignInProblem {
  return { ...reasonOf(error, mode), cause: causeOf(error) };
}

export const SLOW_AFTER_MS = 5000;

/** Calls `onSlow` if the attempt takes longer than a user expects. */
export function watchSlow<T>(attempt: Promise<T>, onSlow: () => void): Promise<T> {
  const timer = setTimeout(onSlow, SLOW_AFTER_MS);
  return attempt.finally(() => clearTimeout(timer));
}

/** True if the same attempt may succeed later. */
export function isTemporary({ kind }: SignInProblem): boolean {
  return TEMPORARY_KINDS.has(kind);
}

function reasonOf(error: unknown, mode: RequestMode): Reason {
  if (!window.isSecureContext) return { kind: 'insecureContext' };
  if (error instanceof KeyError) return { kind: 'keyNotStored' };
  if (error instanceof IdTokenError) return { kind: 'untrusted', reason: error.message };
  if (error instanceof ClockError) return { kind: 'wrongClock', reason: error.message };
  if (error instanceof OtherAccountError) return { kind: 'otherAccount' };
  if (error instanceof CorsError) return { kind: 'corsBlocked' };
  if (error instanceof UnavailableError) return { kind: 'unavailable' };
  if (error instanceof ErrorTimeout || isNetworkError(error)) return { kind: 'unreachable' };
  if (error instanceof ErrorResponse) return reasonOfResponse(error, mode);
  const text = error instanceof Error ? error.message : String(error);
  // Distinguished by messages only, which tests check.
  if (text.includes('disposed window')) return { kind: 'popupBlocked' };
  if (text.includes('Popup aborted') || text.includes('Popup closed')) return { kind: 'cancelled' };
  if (text.includes('No matching state') || text.includes('No state in response')) return { kind: 'unknownState' };
  // Of the nonce.
  if (/ in id_token|ID Token is missing/.test(text))
    return { kind: 'untrusted', reason: t.problems.idTokenRefused(text) };
  if (text.startsWith('Invalid token specified')) return { kind: 'untrusted', reason: t.idToken.unreadable };
  if (/timed out/i.test(text)) return { kind: 'unreachable' };
  // Of fetchWithTimeout and oidc-client-ts: no error code, or no JSON.
  if (/\((?:429|5\d\d)\)/.test(text)) return { kind: 'unavailable' };
  if (/\(4\d\d\)(?:$|: )/.test(text) || text.startsWith('Invalid response Content-Type')) {
    return { kind: 'invalidResponse' };
  }
  if (error instanceof SyntaxError) return { kind: 'invalidResponse' };
  return { kind: 'unknown', reason: withoutSecrets(text) };
}

/** True if the provider may accept the same request later. */
export function isTemporaryResponse({ error }: ErrorResponse): boolean {
  return TEMPORARY_ERRORS.has(error ?? '');
}

function reasonOfResponse(error: ErrorResponse, mode: RequestMode): Reason {
  const code = error.error ?? 'unknown';
  const reason = error.error_description === null ? null : withoutSecrets(error.error_description);
  if (isTemporaryResponse(error)) return { kind: 'unavailable' };
  if (SESSION_ERRORS.has(code) || (mode === 'silent' && SILENT_SESSION_ERRORS.has(code))) {
    return { kind: 'sessionEnded' };
  }
  if (DENIAL_ERRORS.has(code)) return { kind: 'accessDenied', reason };
  if (code === 'invalid_grant') return { kind: 'codeExpired' };
  return { kind: 'rejected', code, reason };
}
