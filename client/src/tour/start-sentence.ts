import { formatDuration } from '../lib/format';
import { t } from '../texts/editor';
import type { Start } from './draft';

/** The start rule as a person would say it. */
export function startSentence({ trigger, frequency, page, delayMs }: Start): string {
  const where = page ? t.start.onPage(page) : t.start.everywhere;
  const after = trigger === 'AUTO' && delayMs > 0 ? t.start.after(formatDuration(delayMs)) : '';
  return `${t.start.how[trigger]} ${where}, ${t.start.often[frequency]}${after}.`;
}
