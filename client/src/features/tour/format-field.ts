import { t } from '../../shared/i18n/en/fields';
import { t as stepTexts } from '../../shared/i18n/en/steps';
import { formatCount, formatSeconds } from '../../shared/i18n/format';
import { formatCondition } from './condition-tree';
import type { StartField, StepField } from './difference';
import { isWaitWithoutRule, type Start, type Step } from './draft';

export function formatStepField(step: Step, field: StepField, steps: readonly Step[]): string {
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
    case 'advance':
      return isWaitWithoutRule(step) ? stepTexts.advance.notSet : formatAdvance(step.advance);
    case 'branches':
      return step.branches.map(branch => formatBranch(branch, steps)).join('; ');
    case 'blockPage':
    case 'closeOnOutsideClick':
      return step[field] ? stepTexts.yes : stepTexts.no;
    case 'translations':
      return step.translations
        .map(({ locale, field, text }) => `${locale}, ${t.textFields[field]}: ${text}`)
        .join('\n');
    case 'page':
      return step.page ?? t.everyPage;
    default:
      return step[field] ?? '';
  }
}

export function formatStartField(start: Start, field: StartField): string {
  switch (field) {
    case 'trigger':
      return t.triggers[start.trigger];
    case 'frequency':
      return t.frequencies[start.frequency];
    case 'page':
      return start.page ?? t.everyPage;
    case 'event':
      return start.event ?? '';
    case 'everyDays':
      return start.everyDays === null ? '' : formatCount(start.everyDays);
    case 'when':
      // The names of tours and segments are not loaded where contents are compared.
      return start.when ? formatCondition(start.when) : stepTexts.start.whenNone;
    case 'priority':
      return formatCount(start.priority);
    case 'ignoreCooldown':
      return start.ignoreCooldown ? stepTexts.yes : stepTexts.no;
    case 'delayMs':
      return start.delayMs === 0 ? t.noDelay : formatSeconds(start.delayMs);
    default:
      return field satisfies never;
  }
}

export function formatAdvance({ on, page, selector, event, delayMs }: Step['advance']): string {
  const detail = {
    BUTTON: null,
    TARGET_CLICK: null,
    PAGE: page,
    ELEMENT: selector,
    EVENT: event,
    DELAY: formatSeconds(delayMs),
  }[on];
  return detail === null ? stepTexts.advance.ends[on] : `${stepTexts.advance.ends[on]}: ${detail}`;
}

function formatBranch({ to, label, when }: Step['branches'][number], steps: readonly Step[]): string {
  const target = steps.find(({ key }) => key === to);
  const destination = `${label === null ? '' : `${t.named(label)} `}› ${(target?.title.trim() || to) ?? stepTexts.advance.finish}`;
  return when ? `${destination} (${formatCondition(when)})` : destination;
}

/** Returns the key if the title is empty. */
export const stepName = (step: Pick<Step, 'title' | 'key'>): string => t.named(step.title.trim() || step.key);
