import { formatDuration } from '../lib/format';
import type { Start } from './draft';

/** The start rule as a person would say it. */
export function startSentence({ trigger, frequency, page, delayMs }: Start): string {
  const where = page ? `on ${page}` : 'on every page';
  const often = {
    ONCE: 'once for each participant',
    UNTIL_COMPLETED: 'again until it is completed',
    ALWAYS: 'on every visit',
  };
  const how = trigger === 'AUTO' ? 'Starts by itself' : 'Starts when the page asks for it';
  const after = trigger === 'AUTO' && delayMs > 0 ? `, ${formatDuration(delayMs)} after the page is ready` : '';
  return `${how} ${where}, ${often[frequency]}${after}.`;
}
