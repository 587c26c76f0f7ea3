import type { Frequency, Gate, GateReason } from '../../../generated/operations';
import { formatDateTime } from '../format';
import { defineMessages } from '../messages';

/** What an answer says about a gate. */
export interface Slots {
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

type Saying = { why: (slots: Slots) => string; fix: string };

const english = {
  title: 'Why does a tour play, or not?',
  description: 'Asks the gates that decide what a page is told, for this person, now.',
  tour: 'Tour',
  page: 'Page',
  pageHint: 'The whole address of the page where they are. It begins with the last one that is known.',
  noAddress: 'This is no address: it begins with https://',
  submit: 'Explain',
  noTours: 'There is no tour yet.',
  plays: 'The tour begins for this person on this page.',
  resumes: 'The tour goes on for this person where they left it.',
  playsNot: 'The tour does not begin by itself for this person on this page.',
  alsoClosed: (names: string) => `Closed after it: ${names}.`,
  gates: 'The gates, in the order in which they are asked',
  open: 'open',
  closed: 'closed',
  names: {
    ORIGIN: 'Site',
    RELEASE: 'Release',
    SCHEDULE: 'Schedule',
    HOLDOUT: 'Holdout',
    ROLLOUT: 'Rollout',
    AUDIENCE: 'Audience',
    FREQUENCY: 'Frequency',
    QUIET_HOURS: 'Quiet hours',
    PAGE: 'Page',
    TRIGGER: 'Start',
    OTHER_TOUR: 'Other tours',
  } satisfies Record<Gate, string> as Record<Gate, string>,
  passes: {
    ORIGIN: 'The page belongs to the site.',
    RELEASE: 'The tour is released on this site.',
    SCHEDULE: 'The release is within its time.',
    HOLDOUT: 'This person is not held out.',
    ROLLOUT: 'The rollout reaches this person.',
    AUDIENCE: 'What is known of them here fits its condition; what only the page knows, the page decides.',
    QUIET_HOURS: 'No other tour came by itself lately.',
    FREQUENCY: 'They have not seen it as often as its rule allows.',
    PAGE: 'The page fits the start rule.',
    TRIGGER: 'It starts by itself, or goes on.',
    OTHER_TOUR: 'No other tour comes first.',
  } satisfies Record<Gate, string> as Record<Gate, string>,
  reasons: {
    ORIGIN_NOT_ALLOWED: {
      why: ({ found }: Slots) => `${found} is not on the site's list.`,
      fix: 'Add it to the web addresses of the site, or choose a page of the site.',
    },
    NOT_RELEASED: { why: () => 'The tour is not released on this site.', fix: 'Release it there.' },
    PAUSED: { why: () => 'The release is paused.', fix: 'Resume it under Releases.' },
    NOT_YET: {
      why: ({ at }: Slots) => `The release begins ${formatDateTime(at)}.`,
      fix: 'Wait, or release it with an earlier start.',
    },
    OVER: {
      why: ({ at }: Slots) => `The release ended ${formatDateTime(at)}.`,
      fix: 'Release it again, with a later end.',
    },
    HELD_OUT: {
      why: () => 'This person is held out, to be compared with those who meet the tour.',
      fix: 'Nothing is wrong. A smaller holdout leaves fewer people out.',
    },
    BEYOND_ROLLOUT: {
      why: () => 'The rollout has not come as far as this person.',
      fix: 'Raise the rollout under Releases.',
    },
    SEEN: {
      why: () => 'They have seen it as often as its rule allows.',
      fix: 'Choose another frequency, or reset the person if you test as them.',
    },
    SEEN_LATELY: {
      why: ({ at }: Slots) => `They have seen it lately; it comes again ${formatDateTime(at)}.`,
      fix: 'Choose fewer days in the start rule, or reset the person if you test as them.',
    },
    CONDITION_FAILS: {
      why: () => 'Its condition asks for something else of other tours.',
      fix: 'Change the condition in the start rule.',
    },
    QUIET: {
      why: ({ at }: Slots) => `Another tour came by itself; there is quiet until ${formatDateTime(at)}.`,
      fix: 'Let the tour come within the quiet hours, in its start rule; or an administrator shortens those of the site.',
    },
    WAITS_FOR_EVENT: {
      why: ({ expected }: Slots) => `It begins at the moment when the page tells of ${expected}.`,
      fix: 'Nothing is wrong if the page does. Otherwise let it tell of the event, or choose another start.',
    },
    OTHER_PAGE: {
      why: ({ expected, found }: Slots) => `The tour starts on ${expected}; the page is ${found}.`,
      fix: 'Choose a page that fits, or change the start rule.',
    },
    MANUAL: {
      why: () => 'The tour starts only when the page asks for it.',
      fix: 'Let the page start it by its address, or let it start by itself.',
    },
    OTHER_TOUR_FIRST: {
      why: ({ found }: Slots) => `“${found}” comes first on this page.`,
      fix: 'Give this one a higher priority, or let the other one come less often, in their start rules.',
    },
  } satisfies Record<GateReason, Saying> as Record<GateReason, Saying>,
  rollout: (percent: string) => `From ${percent} on, it does.`,
  frequencies: {
    ONCE: 'once',
    EVERY_N_DAYS: 'every few days',
    UNTIL_COMPLETED: 'until it was completed',
    ALWAYS: 'on every visit',
  } satisfies Record<Frequency, string> as Readonly<Record<string, string>>,
  rule: (frequency: string) => `Its rule: ${frequency}.`,
};

export type ExplainTexts = typeof english;
export const t = defineMessages('explain', english);
