import type { Frequency, EligibilityCheck, IneligibleReason } from '../../../generated/operations';
import { counted, formatDateTime } from '../format';
import { defineMessages } from '../messages';

export interface Slots {
  readonly at: string;
  readonly expected: string;
  readonly found: string;
  /** The name of the visitor's site. */
  readonly site: string;
}

type ReasonTexts = { why: (slots: Slots) => string; fix: string };

const english = {
  title: 'Why a tour shows or doesn’t',
  description: 'Checks every rule for this visitor and page, right now.',
  tour: 'Tour',
  page: 'Page',
  pageHint: 'Full address of the page to check. Defaults to the last page this visitor opened.',
  noAddress: 'Enter a full address that starts with https://',
  submit: 'Explain',
  starts: 'The tour starts for this visitor on this page.',
  resumes: 'The tour resumes for this visitor where they left off.',
  doesNotStart: 'The tour doesn’t start automatically for this visitor on this page.',
  noTour: 'Choose a tour.',
  alsoNotMet: 'Also not met',
  met: (count: number) => counted(count, { one: '# check met', other: '# checks met' }),
  names: {
    ORIGIN: 'Site',
    RELEASE: 'Release',
    SCHEDULE: 'Schedule',
    HOLDOUT: 'Holdout',
    ROLLOUT: 'Rollout',
    AUDIENCE: 'Audience',
    FREQUENCY: 'Frequency',
    COOLDOWN: 'Cooldown',
    PAGE: 'Page',
    TRIGGER: 'Start',
    OTHER_TOUR: 'Other tours',
    PLAYER: 'Player',
    ELEMENT: 'Element',
  } satisfies Record<EligibilityCheck, string> as Record<EligibilityCheck, string>,
  passes: {
    ORIGIN: 'The page belongs to this site.',
    RELEASE: 'The tour is live on this site.',
    SCHEDULE: 'The current time is within the release’s schedule.',
    HOLDOUT: 'This visitor isn’t in the holdout.',
    ROLLOUT: 'This visitor is included in the rollout.',
    AUDIENCE: 'Matches the audience as far as the server knows; conditions on the page are checked in the browser.',
    COOLDOWN: 'No other tour started automatically recently.',
    FREQUENCY: 'Not yet shown as often as allowed.',
    PAGE: 'The page matches the start rule.',
    TRIGGER: 'Starts automatically or resumes.',
    OTHER_TOUR: 'No other tour has priority.',
    PLAYER: 'No page of this visitor has reported that the player failed to load since the tour was last shown.',
    ELEMENT: 'No page of this visitor has reported that the element is missing since the tour was last shown.',
  } satisfies Record<EligibilityCheck, string> as Record<EligibilityCheck, string>,
  reasons: {
    ORIGIN_NOT_ALLOWED: {
      why: ({ found, site }: Slots) => `${found} isn’t an allowed origin of ${site}, the site of this visitor.`,
      fix: 'Add it to the site’s allowed origins, or choose a page of the site.',
    },
    NOT_RELEASED: {
      why: ({ site }: Slots) => `The tour isn’t live on ${site}, the site of this visitor.`,
      fix: 'Release it to this site, or choose a visitor of another site.',
    },
    PAUSED: { why: () => 'The release is paused.', fix: 'Resume it under Releases.' },
    NOT_YET: {
      why: ({ at }: Slots) => `The release starts ${formatDateTime(at)}.`,
      fix: 'Wait, or release it with an earlier start.',
    },
    OVER: {
      why: ({ at }: Slots) => `The release ended ${formatDateTime(at)}.`,
      fix: 'Release it again with a later end.',
    },
    IN_HOLDOUT: {
      why: () => 'This visitor is in the holdout, for comparison.',
      fix: 'This is expected. Reduce the holdout to exclude fewer visitors.',
    },
    BEYOND_ROLLOUT: {
      why: () => 'This visitor isn’t included in the rollout yet.',
      fix: 'Raise the rollout under Releases.',
    },
    SEEN: {
      why: () => 'Already shown as often as allowed.',
      fix: 'Choose another frequency. If this is your test user, reset it.',
    },
    SEEN_RECENTLY: {
      why: ({ at }: Slots) => `Shown recently. It shows again ${formatDateTime(at)}.`,
      fix: 'Choose fewer days in the start rule. If this is your test user, reset it.',
    },
    CONDITION_FAILS: {
      why: () => 'The visitor isn’t in the tour’s audience.',
      fix: 'Change who sees the tour in the start rule, or change the segment.',
    },
    COOLDOWN: {
      why: ({ at }: Slots) => `Another tour started automatically. The cooldown lasts until ${formatDateTime(at)}.`,
      fix: 'Let this tour ignore the cooldown in its start rule, or ask an administrator to shorten the site’s cooldown.',
    },
    WAITS_FOR_EVENT: {
      why: ({ expected }: Slots) => `Starts when the event ${expected} is received.`,
      fix: 'This is expected if the page sends the event. Otherwise, send it or choose another start rule.',
    },
    OTHER_PAGE: {
      why: ({ expected, found }: Slots) => `The tour starts on ${expected}; this page is ${found}.`,
      fix: 'Choose a page that matches, or change the start rule.',
    },
    MANUAL: {
      why: () => 'The tour starts only when your code starts it.',
      fix: 'Start it from your code by its slug, or make it start automatically.',
    },
    OTHER_TOUR_FIRST: {
      why: ({ found }: Slots) => `“${found}” has priority on this page.`,
      fix: 'Give this tour a higher priority, or let the other one show less often.',
    },
    PLAYER_FAILED: {
      why: ({ at }: Slots) => `The player couldn’t be loaded on the last visit, ${formatDateTime(at)}.`,
      fix: 'If this happens again, check that the page’s Content-Security-Policy allows the script.',
    },
    ELEMENT_MISSING: {
      why: ({ at, expected }: Slots) =>
        `${expected ? `The element of “${expected}”` : 'The element of the first step'} wasn’t found on the last visit, ${formatDateTime(at)}, so the tour showed nothing.`,
      fix: 'Check the target of the step, or start the tour only on pages that have the element.',
    },
  } satisfies Record<IneligibleReason, ReasonTexts> as Record<IneligibleReason, ReasonTexts>,
  rollout: (percent: string) => `Included from ${percent}.`,
  frequencies: {
    ONCE: 'once',
    EVERY_N_DAYS: 'every few days',
    UNTIL_COMPLETED: 'until completed',
    ALWAYS: 'every visit',
  } satisfies Record<Frequency, string> as Readonly<Record<string, string>>,
  rule: (frequency: string) => `Frequency: ${frequency}.`,
};

export type ExplainTexts = typeof english;
export const t = defineMessages('explain', english);
