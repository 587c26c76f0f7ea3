import { defineMessages } from '../messages';

const english = {
  step: {
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
    page: 'Only on pages',
    advance: 'End of the step',
    branches: 'Branches',
    blockPage: 'Keep the page from being used',
  },
  start: {
    trigger: 'Starts',
    event: 'Event',
    frequency: 'How often',
    everyDays: 'Days until it comes again',
    page: 'Only on pages',
    when: 'Only if',
    delayMs: 'Delay',
    priority: 'Priority',
    ignoreQuietHours: 'Within the quiet hours',
  },
  kinds: { SPOTLIGHT: 'Beside an element', POINTER: 'Pointer', MODAL: 'In the middle', HINT: 'Hint', WAIT: 'Wait' },
  sides: { AUTO: 'Where there is room', TOP: 'Above', RIGHT: 'To the right', BOTTOM: 'Below', LEFT: 'To the left' },
  missing: { SKIP_STEP: 'Skip this step', SHOW_CENTERED: 'Show it in the middle', END_RUN: 'End the tour' },
  triggers: { AUTO: 'By itself', MANUAL: 'When the page asks for it', EVENT: 'When the page tells of an event' },
  frequencies: {
    ONCE: 'Once for each participant',
    EVERY_N_DAYS: 'Again after some days',
    UNTIL_COMPLETED: 'On later visits too, until it is completed',
    ALWAYS: 'On every visit',
  },
  selector: 'CSS selector',
  everyPage: 'Every page',
  noDelay: 'None',
  named: (name: string) => `“${name}”`,
};

export type FieldsTexts = typeof english;
export const t = defineMessages('fields', english);
