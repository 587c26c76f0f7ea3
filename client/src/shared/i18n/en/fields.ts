import type { TextField } from '../../../generated/operations';
import { defineMessages } from '../messages';

const english = {
  step: {
    key: 'Key',
    kind: 'Kind',
    title: 'Title',
    body: 'Text',
    target: 'Element',
    side: 'Popover side',
    nextLabel: 'Next button label',
    previousLabel: 'Previous button label',
    doneLabel: 'Done button label',
    missingTarget: 'If the element is missing',
    waitMs: 'Wait for element',
    page: 'Only on pages',
    advance: 'Advance rule',
    branches: 'Branches',
    blockPage: 'Block the page',
    closeOnOutsideClick: 'End on a click outside',
    translations: 'Translations',
  },
  textFields: {
    TITLE: 'Title',
    BODY: 'Text',
    NEXT_LABEL: 'Next button',
    PREVIOUS_LABEL: 'Previous button',
    DONE_LABEL: 'Done button',
    BRANCH_LABEL: 'Branch button',
  } satisfies Readonly<Record<TextField, string>>,
  start: {
    trigger: 'Starts',
    event: 'Event',
    frequency: 'How often',
    everyDays: 'Repeat after (days)',
    page: 'Only on pages',
    when: 'Who sees it',
    delayMs: 'Delay',
    priority: 'Priority',
    ignoreCooldown: 'Ignore cooldown',
  },
  kinds: { SPOTLIGHT: 'Spotlight', TOOLTIP: 'Tooltip', MODAL: 'Modal', HOTSPOT: 'Hotspot', WAIT: 'Wait' },
  sides: { AUTO: 'Automatic', TOP: 'Top', RIGHT: 'Right', BOTTOM: 'Bottom', LEFT: 'Left' },
  missing: { SKIP_STEP: 'Skip this step', SHOW_CENTERED: 'Show it in the center', END_RUN: 'End the tour' },
  triggers: { AUTO: 'Automatically', MANUAL: 'When your code starts it', EVENT: 'When an event is received' },
  frequencies: {
    ONCE: 'Once per visitor',
    EVERY_N_DAYS: 'Again after … days',
    UNTIL_COMPLETED: 'Every visit until completed',
    ALWAYS: 'Every visit',
  },
  selector: 'CSS selector',
  everyPage: 'Every page',
  noDelay: 'None',
  named: (name: string) => `“${name}”`,
};

export type FieldsTexts = typeof english;
export const t = defineMessages('fields', english);
