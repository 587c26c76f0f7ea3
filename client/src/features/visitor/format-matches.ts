import type { VisitorMatchesQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/segment';

export function formatMatches(count: VisitorMatchesQuery['visitorMatches']): string {
  const { matching, visitors, isMaximum, isPartial } = count;
  if (visitors === 0) return t.matches.none;
  const of = isPartial ? t.matches.mostRecent(visitors) : t.matches.visitors(visitors);
  return isMaximum ? t.matches.maximum(matching, of) : t.matches.exact(matching, of);
}
