import { t } from '../../shared/i18n/en/steps';
import { formatSeconds } from '../../shared/i18n/format';
import { formatCondition } from '../tour/condition-tree';
import type { Start } from '../tour/draft';

/** Formats a start rule as a sentence. `tourName` resolves tour ids to titles. */
export function formatStartRule(start: Start, tourName: (id: string) => string | undefined = () => undefined): string {
  const { says } = t.start;
  if (start.trigger === 'MANUAL') return says.end(says.manual);
  const where = start.page ? says.page(start.page) : says.everywhere;
  const often = {
    ONCE: says.once,
    EVERY_N_DAYS: says.everyDays(start.everyDays),
    UNTIL_COMPLETED: says.untilCompleted,
    ALWAYS: says.always,
  }[start.frequency];
  const after = start.delayMs > 0 ? says.after(formatSeconds(start.delayMs)) : '';
  const sentence =
    start.trigger === 'AUTO'
      ? says.auto(where, often, after)
      : says.event(start.event ?? says.noEvent, where, often, after);
  return start.when ? says.when(sentence, formatCondition(start.when, tourName)) : says.end(sentence);
}
