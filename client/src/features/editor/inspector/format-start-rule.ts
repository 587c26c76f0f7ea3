import { t } from '../../../shared/i18n/en/steps';
import { formatSeconds } from '../../../shared/i18n/format';
import { formatCondition, type ConditionNames } from '../../tour/condition-tree';
import type { Start } from '../../tour/draft';

export function formatStartRule(start: Start, names?: ConditionNames): string {
  const { phrases } = t.start;
  if (start.trigger === 'MANUAL') return phrases.end(phrases.manual);
  const where = start.page ? phrases.page(start.page) : phrases.everywhere;
  const often = {
    ONCE: phrases.once,
    EVERY_N_DAYS: phrases.everyDays(start.everyDays),
    UNTIL_COMPLETED: phrases.untilCompleted,
    ALWAYS: phrases.always,
  }[start.frequency];
  const after = start.delayMs > 0 ? phrases.after(formatSeconds(start.delayMs)) : '';
  const sentence =
    start.trigger === 'AUTO'
      ? phrases.auto(where, often, after)
      : phrases.event(start.event ?? phrases.noEvent, where, often, after);
  return start.when ? phrases.when(sentence, formatCondition(start.when, names)) : phrases.end(sentence);
}
