/** What the fields of a draft and their values are called, wherever they are named: in the editor, in a difference, in a problem. */
import type { Frequency, MissingTarget, Side, Trigger } from '../generated/operations';
import { formatDuration } from '../lib/format';
import type { StartField, StepField } from './difference';
import type { Start, Step } from './draft';

export const stepFieldNames: Readonly<Record<StepField | 'key', string>> = {
  key: 'Key',
  kind: 'Kind',
  title: 'Title',
  body: 'Text',
  target: 'Element',
  side: 'Side of the popover',
  nextLabel: 'Label of Next',
  backLabel: 'Label of Previous',
  doneLabel: 'Label of Done',
  missingTarget: 'If the element is missing',
  waitMs: 'Wait for the element',
};

export const startFieldNames: Readonly<Record<StartField, string>> = {
  trigger: 'Starts',
  frequency: 'How often',
  page: 'Only on pages',
  delayMs: 'Delay',
};

export const kindNames: Readonly<Record<Step['kind'], string>> = {
  SPOTLIGHT: 'Beside an element',
  MODAL: 'In the middle',
};

export const sideNames: Readonly<Record<Side, string>> = {
  AUTO: 'Where there is room',
  TOP: 'Above',
  RIGHT: 'To the right',
  BOTTOM: 'Below',
  LEFT: 'To the left',
};

export const missingNames: Readonly<Record<MissingTarget, string>> = {
  SKIP_STEP: 'Skip this step',
  SHOW_CENTERED: 'Show it in the middle',
  END_RUN: 'End the tour',
};

export const triggerNames: Readonly<Record<Trigger, string>> = {
  AUTO: 'By itself',
  MANUAL: 'When the page asks for it',
};

export const frequencyNames: Readonly<Record<Frequency, string>> = {
  ONCE: 'Once for each participant',
  UNTIL_COMPLETED: 'On later visits too, until it is completed',
  ALWAYS: 'On every visit',
};

/** What a step has in a field, as a person reads it; empty where it has nothing. */
export function stepValue(step: Step, field: StepField): string {
  switch (field) {
    case 'kind':
      return kindNames[step.kind];
    case 'target':
      return step.target ? `${step.target.by === 'DATA_TOUR' ? 'data-tour' : 'CSS selector'} ${step.target.value}` : '';
    case 'side':
      return sideNames[step.side];
    case 'missingTarget':
      return missingNames[step.missingTarget];
    case 'waitMs':
      return formatSeconds(step.waitMs);
    default:
      return step[field] ?? '';
  }
}

export function startValue(start: Start, field: StartField): string {
  switch (field) {
    case 'trigger':
      return triggerNames[start.trigger];
    case 'frequency':
      return frequencyNames[start.frequency];
    case 'page':
      return start.page ?? 'Every page';
    case 'delayMs':
      return start.delayMs === 0 ? 'None' : formatSeconds(start.delayMs);
    default:
      return field satisfies never;
  }
}

/** What a step is called in a sentence. */
export const stepName = (step: Pick<Step, 'title' | 'key'>): string => `“${step.title.trim() || step.key}”`;

/** Milliseconds as the fields show them: seconds, with a half where there is one. */
const formatSeconds = (ms: number): string => (ms % 1000 === 0 ? formatDuration(ms) : `${ms / 1000} s`);
