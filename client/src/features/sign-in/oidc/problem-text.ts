/** Texts of sign-in problems. Separate, because the first screen does not need them. */
import { t } from '../../../shared/i18n/en/auth';
import type { SignInProblem } from './sign-in-problem';

export function formatProblem(problem: SignInProblem, name: string): string {
  switch (problem.kind) {
    case 'popupBlocked':
      return t.problems.popupBlocked;
    case 'popupClosed':
      return t.problems.popupClosed;
    case 'cancelled':
      return t.problems.cancelled;
    case 'slow':
      return t.problems.slow(name);
    case 'unreachable':
      return t.problems.unreachable(name);
    case 'corsBlocked':
      return t.problems.corsBlocked(name);
    case 'unavailable':
      return t.problems.unavailable(name);
    case 'invalidResponse':
      return t.problems.invalidResponse(name);
    case 'sessionEnded':
      return t.problems.sessionEnded(name);
    case 'accessDenied':
      return t.problems.accessDenied(name, withoutPeriod(problem.reason));
    case 'codeExpired':
      return t.problems.codeExpired(name);
    case 'rejected':
      return t.problems.rejected(name, problem.code, withoutPeriod(problem.reason));
    case 'untrusted':
      return t.problems.untrusted(problem.reason);
    case 'wrongClock':
      return t.problems.wrongClock(problem.reason, name);
    case 'otherAccount':
      return t.problems.otherAccount;
    case 'unknownState':
      return t.problems.unknownState;
    case 'insecureContext':
      return t.problems.insecureContext;
    case 'keyNotStored':
      return t.problems.keyNotStored;
    case 'unknown':
      return t.problems.unknown(withoutPeriod(problem.reason) ?? problem.kind);
    default:
      return problem satisfies never;
  }
}

export function problemTitle({ kind }: SignInProblem): string {
  switch (kind) {
    case 'slow':
      return t.page.signingIn;
    case 'accessDenied':
      return t.titles.accessDenied;
    case 'unreachable':
    case 'unavailable':
      return t.titles.unavailable;
    case 'insecureContext':
      return t.titles.insecureContext;
    default:
      return t.titles.failed;
  }
}

const withoutPeriod = (text: string | null): string | null => text?.trim().replace(/\.$/, '') || null;
