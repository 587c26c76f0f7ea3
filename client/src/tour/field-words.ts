/** What the values of a draft's fields are called, wherever they are named: in the editor, in a difference, in a problem. */
import { formatDuration } from '../lib/format';
import { t } from '../texts/fields';
import type { StartField, StepField } from './difference';
import type { Start, Step } from './draft';

/** What a step has in a field, as a person reads it; empty where it has nothing. */
export function stepValue(step: Step, field: StepField): string {
  switch (field) {
    case 'kind':
      return t.kinds[step.kind];
    case 'target':
      return step.target ? `${step.target.by === 'DATA_TOUR' ? 'data-tour' : t.selector} ${step.target.value}` : '';
    case 'side':
      return t.sides[step.side];
    case 'missingTarget':
      return t.missing[step.missingTarget];
    case 'waitMs':
      return formatSeconds(step.waitMs);
    default:
      return step[field] ?? '';
  }
}

export function startValue(start: Start, field: StartField): string {
  switch (field) {
    case 'trigger':
      return t.triggers[start.trigger];
    case 'frequency':
      return t.frequencies[start.frequency];
    case 'page':
      return start.page ?? t.everyPage;
    case 'delayMs':
      return start.delayMs === 0 ? t.noDelay : formatSeconds(start.delayMs);
    default:
      return field satisfies never;
  }
}

/** What a step is called in a sentence. */
export const stepName = (step: Pick<Step, 'title' | 'key'>): string => t.named(step.title.trim() || step.key);

/** Milliseconds as the fields show them: seconds, with a half where there is one. */
const formatSeconds = (ms: number): string => (ms % 1000 === 0 ? formatDuration(ms) : `${ms / 1000} s`);
