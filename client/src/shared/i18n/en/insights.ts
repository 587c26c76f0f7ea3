import { counted, formatCount } from '../format';
import { defineMessages } from '../messages';

const english = {
  days: {
    figure: 'Runs by day. The table shows the same numbers.',
    bar: (day: string, started: number, completed: number) =>
      `${day}: ${formatCount(started)} started, ${formatCount(completed)} completed`,
    started: 'started',
    completed: 'completed',
    asChart: 'Show as chart',
    asTable: 'Show as table',
    caption: 'Runs by day',
    day: 'Day',
    title: 'By day',
    description: (days: number) =>
      counted(days, { one: 'Runs started on this day.', other: 'Runs started on each of the # days.' }),
  },
  figures: {
    started: 'Started',
    completed: 'Completed',
    dismissed: 'Dismissed',
    counting: 'counting visitors',
    visitors: (count: number) => counted(count, { one: '# visitor', other: '# visitors' }),
    rate: (share: string) => `${share} of started runs`,
    withGaps: (count: number) =>
      counted(count, {
        one: '# of them with gaps: an element was missing',
        other: '# of them with gaps: elements were missing',
      }),
    dismissedBy: 'Close button, Escape, or a click outside',
    stopped: 'Stopped',
    stoppedBy: 'by your code, with stop()',
    failed: 'Failed',
    failedAt: 'an element was missing, and the step ends the tour',
    superseded: 'Ended with release',
    active: 'Active',
    attempts: 'Not shown',
    attemptsWithoutElement: (count: number) =>
      counted(count, { one: '# time its element wasn’t found', other: '# times its element wasn’t found' }),
    attemptsWithoutPlayer: (count: number) =>
      counted(count, { one: '# time the player didn’t load', other: '# times the player didn’t load' }),
    abandoned: 'Abandoned',
    abandonedAfter: 'inactive for 24 hours',
    median: 'Median time',
    about: (duration: string) => `about ${duration}`,
    aboutInShort: (duration: string) => `≈\u00A0${duration}`,
    medianOf: 'completed runs',
  },
  trend: {
    change: (change: string, days: number) =>
      counted(days, { one: `${change} from the day before`, other: `${change} from the # days before` }),
    points: (points: string, days: number) =>
      counted(days, { one: `${points} points from the day before`, other: `${points} points from the # days before` }),
    none: (days: number) => counted(days, { one: 'None the day before', other: 'None in the # days before' }),
  },
  outcomes: {
    title: 'How runs ended',
    description: 'Every run that started in the date range.',
    completed: 'reached the end of the tour',
    superseded: 'the release was stopped or replaced',
    active: 'in the tour within the last 24 hours',
  },
  funnel: {
    caption: 'Steps of the tour: visitors who saw each step, and how many dropped off there',
    step: 'Step',
    seen: 'Seen',
    dropOff: 'Drop-off',
    runsEndedAt: (count: number, step: string) =>
      `${counted(count, { one: 'Show # run', other: 'Show # runs' })} that ended at “${step}”`,
    stillActive: (count: number) => counted(count, { one: '# active', other: '# active' }),
    time: 'Time',
    missing: (count: number) => counted(count, { one: 'element missing # time', other: 'element missing # times' }),
    withGaps: (count: number) => `${formatCount(count)} with gaps`,
    notFound: (count: number) =>
      counted(count, { one: 'not found # time, nothing shown', other: 'not found # times, nothing shown' }),
    title: 'Funnel',
    largestDropOff: (step: string) => `Most visitors drop off at “${step}”.`,
    even: 'Several steps lose about the same share of visitors.',
    noDropOff: 'No drop-off between steps.',
    unclear: 'There isn’t enough data yet to show where most visitors drop off.',
    gap: (runs: number, from: string, to: string) =>
      `${counted(runs, { one: '# run', other: '# runs' })} continued from “${from}” but didn’t reach “${to}”.`,
    leftBetween: (runs: number) =>
      counted(runs, { one: '# run ended between two steps.', other: '# runs ended between two steps.' }),
    mostMissing: (runs: number, step: string) =>
      `The element of “${step}” was missing in ${counted(runs, { one: '# run', other: '# runs' })}. Check its target.`,
    gaps: (runs: number, completed: number) =>
      `Completed runs with gaps, because an element was missing: ${formatCount(runs)} of ${formatCount(completed)}.`,
    missingAt: (runs: number, step: string) => `“${step}” (${counted(runs, { one: '# run', other: '# runs' })})`,
    otherSteps: (count: number) => counted(count, { one: '# other step', other: '# other steps' }),
    missingAtSteps: (steps: string) => `Elements were missing at ${steps}. Check their targets.`,
    hatched: 'The element was missing, so the run continued without the step.',
    branched: 'Not every run includes every step: some steps are on a branch or were added later.',
    revisions: 'Step titles are from the newest revision. Earlier revisions may have used different titles.',
    superseded: (count: number) =>
      counted(count, { one: '# run ended with its release.', other: '# runs ended with their releases.' }),
    active: (count: number) =>
      counted(count, {
        one: '# run is still active and isn’t counted as drop-off.',
        other: '# runs are still active and aren’t counted as drop-off.',
      }),
  },
  page: {
    title: 'Insights',
    description: 'See who took this tour, how far they got, and where they dropped off. Days are in UTC.',
    range: 'Date range',
    lastDays: (days: number) => counted(days, { one: '# day', other: '# days' }),
    own: 'Custom',
    from: 'From',
    to: 'To',
    site: 'Site',
    allSites: 'All sites',
    loading: 'Loading insights',
    noRuns: 'No runs in this date range',
    notFound: (visitors: number, step: string | null) =>
      `${counted(visitors, { one: '# visitor', other: '# visitors' })} met this tour but saw nothing: the element of ${step === null ? 'its first step' : `“${step}”`} wasn’t found. A visitor counts once a day.`,
    notLoaded: (visitors: number) =>
      `${counted(visitors, { one: 'For # visitor', other: 'For # visitors' })}, the player couldn’t be loaded. A visitor counts once a day.`,
    checkTarget: 'Check the target',
    release: 'Release tour',
    waiting: 'This tour is live. Numbers appear here when the first visitor starts it.',
    notInstalled: 'This tour starts once Waypost is installed on a site of its release. Numbers appear here then.',
    notLive: 'This tour isn’t live. Numbers appear here after it is released.',
  },
  runs: {
    title: 'Recent runs',
    description: 'Runs that started in the date range, newest first.',
    loading: 'Loading runs',
    none: 'No runs in this date range.',
    noMatch: 'No runs match.',
    showAll: 'Show all runs',
    anyStatus: 'Any status',
    endedAt: 'Ended at step',
    anyStep: 'Any step',
    visitor: 'Visitor',
    status: 'Status',
    done: 'Steps completed',
    doneOf: (done: number, all: number) => `${done} of ${all}`,
    time: 'Time',
    revision: 'Revision',
    started: 'Started',
  },
  runStates: {
    ACTIVE: 'active',
    COMPLETED: 'completed',
    DISMISSED: 'dismissed',
    STOPPED: 'stopped by your code',
    ABANDONED: 'abandoned',
    SUPERSEDED: 'ended with its release',
    FAILED: 'failed',
  },
  withGaps: 'with gaps',
  revisions: {
    title: 'By revision',
    description: 'Choose a revision to see its funnel.',
    number: (number: number) => `Revision ${formatCount(number)}`,
    only: (number: number | null) => (number === null ? 'One revision' : `Only revision ${formatCount(number)}`),
    all: 'Show all revisions',
  },
  lift: {
    title: 'Lift',
    description:
      'How much each release increases its goal: visitors who were offered the tour, whether or not they took it, compared with the holdout.',
    loading: 'Loading lift',
    noGoal:
      'No release has a goal yet. Set a goal event and a holdout to compare visitors who are offered the tour with visitors who aren’t.',
    toReleases: 'Go to Releases',
    noHoldout: 'There’s no holdout to compare with. Add one to the release.',
    tooFew: (offered: number, held: number) =>
      `Not enough data yet: ${counted(offered, { one: '# visitor was', other: '# visitors were' })} offered the tour, and ${counted(held, { one: '# is', other: '# are' })} in the holdout.`,
    unclear: (event: string, low: string, high: string) =>
      `No clear effect on “${event}” yet: ${low} to ${high} percentage points.`,
    more: (event: string, low: string, high: string) =>
      `More visitors reach “${event}”: ${low} to ${high} percentage points.`,
    fewer: (event: string, low: string, high: string) =>
      `Fewer visitors reach “${event}”: ${low} to ${high} percentage points.`,
    release: (revision: number, site: string, isRollback: boolean) =>
      `Revision ${formatCount(revision)} on ${site}${isRollback ? ' (rollback)' : ''}`,
    about: (release: string) => `${release}:`,
    othersBelow: 'Each release is measured separately. Other releases are listed below.',
    time: (from: string, to: string | null) => (to === null ? `since ${from}` : `${from} – ${to}`),
    points: 'percentage points, 95% interval',
    goal: 'Goal',
    offered: 'Offered',
    holdout: 'Holdout',
    of: (reached: number, people: number) => `${formatCount(reached)} of ${formatCount(people)}`,
    noVisitors: 'no visitors',
    difference: 'Difference',
    interval: '95% interval',
    between: (low: string, high: string) => `${low} to ${high}`,
    relative: 'Relative',
  },
  export: {
    lift: 'Export lift as CSV',
    steps: 'Export steps as CSV',
    days: 'Export days as CSV',
  },
  range: {
    both: 'Choose a start and an end date.',
    order: 'The start date must not be after the end date.',
    tooLong: (days: number) => `Choose a range of at most ${formatCount(days)} days.`,
  },
};

export type InsightsTexts = typeof english;
export const t = defineMessages('insights', english);
