/** Reports a difference only if it is significant. */
import type { TourLiftQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/insights';
import { formatPoints } from '../../shared/i18n/format';

export type ReleaseLift = TourLiftQuery['tourLift'][number];

export type Finding = 'noHoldout' | 'tooFew' | 'unclear' | 'more' | 'fewer';

export function findingOf({ release, holdout, lift }: ReleaseLift): Finding {
  if (release.holdoutPercent === 0 && holdout.visitors === 0) return 'noHoldout';
  if (lift === null) return 'tooFew';
  if (lift.low > 0) return 'more';
  return lift.high < 0 ? 'fewer' : 'unclear';
}

export function formatLift(each: ReleaseLift): string {
  const { release, offered, holdout, lift } = each;
  const finding = findingOf(each);
  if (finding === 'noHoldout') return t.lift.noHoldout;
  if (finding === 'tooFew' || lift === null) return t.lift.tooFew(offered.visitors, holdout.visitors);
  return t.lift[finding](release.goal ?? '', formatPoints(lift.low), formatPoints(lift.high));
}

/** Returns a round number above all intervals. */
export function axisEnd(lifts: readonly ReleaseLift[]): number {
  const largest = Math.max(0, ...lifts.flatMap(({ lift }) => (lift ? [Math.abs(lift.low), Math.abs(lift.high)] : [])));
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find(end => largest <= end) ?? 1;
}
