import { counted, formatCount } from '../format';
import { defineMessages } from '../messages';

const english = {
  days: {
    figure: 'Runs by day; the table has the same numbers',
    bar: (day: string, started: number, completed: number) =>
      `${day}: ${formatCount(started)} started, ${formatCount(completed)} completed`,
    started: 'started',
    completed: 'completed',
    asChart: 'Show as a chart',
    asTable: 'Show as a table',
    caption: 'Runs by day',
    day: 'Day',
    title: 'By day',
    description: (days: number) =>
      counted(days, { one: 'Runs that started on one day.', other: 'Runs that started on each of # days.' }),
  },
  figures: {
    started: 'Started',
    completed: 'Completed',
    closed: 'Closed early',
    counting: 'counting people',
    people: (count: number) => counted(count, { one: '# person', other: '# people' }),
    rate: (share: string) => `${share} of those who started`,
    closedHow: 'by Close, Escape or a click beside it',
    left: 'Left',
    leftHow: 'without an end for a day',
    median: 'Median time',
    about: (duration: string) => `about ${duration}`,
    aboutInShort: (duration: string) => `≈\u00A0${duration}`,
    failed: (count: number) => counted(count, { one: '# run failed', other: '# runs failed' }),
    medianOf: 'of completed runs',
  },
  funnel: {
    caption: 'Steps of the tour: how many saw each, and how many of them were lost there',
    step: 'Step',
    saw: 'Saw it',
    lost: 'Lost',
    stillThere: (count: number) => counted(count, { one: '# still there', other: '# still there' }),
    time: 'Time',
    missing: (count: number) => counted(count, { one: 'element missing # time', other: 'element missing # times' }),
    title: 'Funnel',
    leak: (step: string) => `Most people are lost at “${step}”.`,
    noLeak: 'Nobody was lost on the way.',
    unclear: 'Where most people are lost cannot be told yet.',
    gap: (runs: number, from: string, to: string) =>
      `${counted(runs, { one: '# run', other: '# runs' })} went on from “${from}” and ${runs === 1 ? 'has' : 'have'} not come to “${to}”.`,
    branched: 'Not everybody comes by every step: some lie on one way of a branch, or were added later.',
    revisions: 'Titles are those of the newest revision; older ones may have had others.',
    superseded: (count: number) =>
      counted(count, { one: '# run ended with its release.', other: '# runs ended with their release.' }),
    underWay: (count: number) =>
      counted(count, {
        one: '# run is still under way: it is not counted as lost.',
        other: '# runs are still under way: they are not counted as lost.',
      }),
  },
  page: {
    title: 'Insights',
    description: 'Who took this tour, how far they came, and where they gave up. Days are in UTC.',
    range: 'Range',
    lastDays: (days: number) => counted(days, { one: '# day', other: '# days' }),
    own: 'Own range',
    from: 'From',
    to: 'To',
    site: 'Site',
    allSites: 'All sites',
    loading: 'Loading the insights',
    nobody: 'Nobody took this tour in this range',
    release: 'Release it',
    waiting: 'It is live: numbers appear here as soon as somebody meets it.',
    notLive: 'It is not live. Once it is released, numbers appear here.',
  },
  runs: {
    title: 'Recent runs',
    description: 'The newest first, of all time.',
    loading: 'Loading the runs',
    none: 'No runs yet.',
    who: 'Who',
    how: 'How it ended',
    done: 'Steps done',
    doneOf: (done: number, all: number) => `${done} of ${all}`,
    time: 'Time',
    revision: 'Revision',
    started: 'Started',
  },
  runStates: {
    ACTIVE: 'under way',
    COMPLETED: 'completed',
    DISMISSED: 'closed',
    ABANDONED: 'left',
    SUPERSEDED: 'ended with its release',
    FAILED: 'failed',
  },
  revisions: {
    title: 'By revision',
    description: 'A revision leads to its own funnel.',
    number: (number: number) => `Revision ${formatCount(number)}`,
    only: (number: number | null) => (number === null ? 'One revision' : `Revision ${formatCount(number)} only`),
    all: 'Show all revisions',
    rate: 'Completion rate',
    failed: 'Failed',
  },
  lift: {
    title: 'Lift',
    description:
      'What each release does for its goal, over all of its time: those for whom the tour was there, whether they took it or not, compared with those who were held out.',
    loading: 'Loading the lift',
    noGoal:
      'No release has a goal yet. Give one a goal, the event that people are to be led to, and a holdout; then this compares those for whom the tour is there with those for whom it is not.',
    toReleases: 'Go to the releases',
    noHoldout: 'Nobody is held out, so there is nobody to compare with. Give the release a holdout.',
    tooFew: (offered: number, held: number) =>
      `Too few yet to say anything: the tour was there for ${formatCount(offered)}, and ${counted(held, { one: '# was held out', other: '# were held out' })}.`,
    unclear: (event: string, low: string, high: string) =>
      `No difference shown yet: between ${low} and ${high} points come to “${event}”.`,
    more: (event: string, low: string, high: string) =>
      `More people come to “${event}”: ${low} to ${high} percentage points.`,
    fewer: (event: string, low: string, high: string) =>
      `Fewer people come to “${event}”: ${low} to ${high} percentage points.`,
    release: (revision: number, site: string, isRollback: boolean) =>
      `Revision ${formatCount(revision)} on ${site}${isRollback ? ' (rollback)' : ''}`,
    about: (release: string) => `${release}:`,
    anew: 'Each release counts anew; the others are below.',
    time: (from: string, to: string | null) => (to === null ? `since ${from}` : `${from} – ${to}`),
    points: 'percentage points, 95% interval',
    goal: 'Goal',
    offered: 'Tour was there',
    held: 'Held out',
    of: (reached: number, people: number) => `${formatCount(reached)} of ${formatCount(people)}`,
    nobody: 'nobody',
    difference: 'Difference',
    interval: '95% interval',
    between: (low: string, high: string) => `${low} to ${high}`,
    relative: 'Relative',
  },
  export: {
    lift: 'Lift as CSV',
    steps: 'Steps as CSV',
    days: 'Days as CSV',
  },
  range: {
    both: 'Choose both days.',
    order: 'The first day must not be after the last.',
    tooLong: (days: number) => `Choose a range of at most ${formatCount(days)} days.`,
  },
};

export type InsightsTexts = typeof english;
export const t = defineMessages('insights', english);
