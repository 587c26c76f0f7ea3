import type { ReactNode } from 'react';
import { counted, formatCount } from '../format';
import { defineMessages } from '../messages';

const english = {
  dialog: {
    title: (revision: number) => `Release revision ${revision}`,
    titleAgain: (revision: number) => `Release revision ${revision} again`,
    description: 'It is frozen as it is and plays on the sites you choose.',
    descriptionAgain: 'The draft is the same as this revision. It plays on the sites you choose.',
    replaces: 'Where this tour has a release already, the new one takes its place.',
    playsNow: (tour: string, sites: string) => `“${tour}” plays on ${sites} now.`,
    sites: 'Sites',
    unseen: 'No page of this site has asked for tours yet. It can be released there all the same.',
    own: 'Waypost’s own pages: the members of its workspaces meet it here.',
    likeBefore: 'As before: where the tour is now, and for the same people. Change what should be different.',
    chooseSite: 'Choose at least one site.',
    note: 'Note',
    noteHint: 'What is new, for your team.',
    solveFirst: 'Solve the problems first.',
    submit: 'Release',
    solveThese: 'Solve these before releasing:',
    thinkAbout: 'Worth a thought before releasing:',
    problems: 'Problems',
  },
  page: {
    loading: 'Loading the releases',
    archived: 'This tour is archived. Restore it to release it.',
    siteFirst: 'Add a site first.',
    title: 'Releases',
    noSite: 'No site to release to',
    toSites: 'Go to the sites',
    noSiteText: 'A release plays a tour on a site. Add the first one; then come back.',
    live: 'Live',
    paused: 'Paused',
    scheduled: 'Scheduled',
    firstPage: 'Plays as soon as a page with this site’s key is opened',
    release: 'Release',
    plays: (revision: ReactNode, since: string, by: string, backTo: string | null) => (
      <>
        {revision} since {since}, released by {by}
        {backTo === null ? '' : `, gone back to the release of ${backTo}`}.
      </>
    ),
    pausedBy: (when: string, who: string) => `Paused ${when} by ${who}.`,
    revision: (number: number) => `Revision ${number}`,
    quoted: (note: string) => `“${note}”`,
    nothingNow: 'This tour does not play here at the moment.',
    nothingYet: 'This tour does not play here yet.',
    history: (count: number) => counted(count, { one: 'History: # release', other: 'History: # releases' }),
    releasesOn: (site: string) => `Releases on ${site}`,
    rollback: '(rollback)',
    adjusted: '(for whom, what for or when changed)',
    by: (when: string, who: string) => `${when} by ${who}`,
    over: (when: string) => `Over since ${when}, as planned`,
    changed: { LIVE: 'Resumed', PAUSED: 'Paused', ENDED: 'Ended' },
  },
  terms: {
    title: 'Rollout, holdout, goal and dates',
    everybody: 'for everybody, from now on',
    rollout: 'Rollout',
    rolloutHint:
      'How many of the people on the site may meet the tour. Raising it later keeps everybody in who is in already.',
    holdout: 'Holdout',
    holdoutHint: 'How many never meet it, so that the insights can compare. They are taken first.',
    atMost: (percent: number) => `At most ${percent} %.`,
    spent: (percent: number) => `A rollout above ${percent} % changes nothing as long as the others are held out.`,
    ofHundred: ({ held, seen, waiting }: { held: number; seen: number; waiting: number }) => {
      const parts = [
        counted(seen, { one: '# sees it', other: '# see it' }),
        ...(held > 0 ? [counted(held, { one: '# never does (holdout)', other: '# never do (holdout)' })] : []),
        ...(waiting > 0
          ? [counted(waiting, { one: '# waits for a larger rollout', other: '# wait for a larger rollout' })]
          : []),
      ];
      return `Of 100 people who match: ${parts.join(', ')}.`;
    },
    goal: 'Goal',
    goalHint:
      'What the tour leads people to, such as an order or an invited colleague: the name of an event. The insights compare how many come to it. A line in the page says that it has happened:',
    goalBegins: 'The tour begins with this event: whoever meets it has come to the goal before.',
    goalMissing: 'Without a goal the people held out cannot be compared with anybody.',
    startsAt: 'Begins',
    startsAtHint: 'In your time zone. Empty: at once.',
    endsAt: 'Ends',
    endsAtHint: 'Empty: when somebody ends it.',
    endFirst: 'It would be over before it begins. Choose a later end.',
    endActiveRuns: 'Let people who are inside begin again',
    endActiveRunsHint: 'Otherwise they go on where they are.',
    for: (share: string) => `for ${share} of the people`,
    heldOut: (share: string) => `${share} held out`,
    leadsTo: (event: string) => `leads to “${event}”`,
    from: (when: string) => `from ${when}`,
    until: (when: string) => `until ${when}`,
  },
  impact: {
    title: 'What changes for whom',
    loading: 'Counting the people',
    part: 'They',
    before: 'Now',
    after: 'Then',
    nothingNow: 'This tour does not play there now.',
    pausedNow: (revision: number) => `Revision ${revision} is paused there now.`,
    waitsNow: (revision: number, when: string) => `Revision ${revision} is there and waits for ${when}.`,
    playsNow: (revision: number) => `Revision ${revision} plays there now.`,
    pausedThen: 'Nothing will play until the release is resumed.',
    endedThen: 'Nothing will play any more.',
    scheduledThen: (revision: number, when: string) => `Nothing will play until ${when}; then revision ${revision}.`,
    playsThen: (revision: number) => `Revision ${revision} will play.`,
    playsOn: 'It goes on playing.',
    nobodyInside: 'Nobody is inside the tour at the moment.',
    inside: (count: number) =>
      counted(count, { one: '# person is inside the tour now:', other: '# people are inside the tour now:' }),
    insidePaused: 'they find it again after the pause, if that is within 24 hours of their last step.',
    insideEnded: 'their runs end. Pages that are open play on to the end.',
    insideLeft: 'pages that are open play on to the end; elsewhere the tour does not go on.',
    insideAgain: 'their runs end, and they begin again.',
    goOn: (ways: string) => `${ways}.`,
    stay: (count: number) =>
      counted(count, { one: '# goes on at the step they are at', other: '# go on at the step they are at' }),
    move: (count: number) =>
      counted(count, {
        one: '# goes on at the first step they have not seen, because theirs is gone',
        other: '# go on at the first step they have not seen, because theirs is gone',
      }),
    finish: (count: number) =>
      counted(count, {
        one: '# has seen everything and comes to the last step',
        other: '# have seen everything and come to the last step',
      }),
    sameContent: 'The steps are the same.',
    added: (count: number, steps: string) =>
      `${counted(count, { one: '# step is new', other: '# steps are new' })}: ${steps}.`,
    removed: (count: number, steps: string) =>
      `${counted(count, { one: '# step is gone', other: '# steps are gone' })}: ${steps}.`,
    changed: (count: number, steps: string) =>
      `${counted(count, { one: '# step is different', other: '# steps are different' })}: ${steps}.`,
    reordered: 'The steps come in another order.',
    otherStart: (changes: string) => `It starts by another rule: ${changes}.`,
    startField: (name: string, before: string, after: string) => `${name} “${after}” instead of “${before}”`,
    otherTheme: 'It has another theme.',
    nobodySeen: 'Nobody was seen on this site within the last 30 days.',
    people: (count: number) =>
      count >= 10_000
        ? `Of the ${formatCount(count)} people who were seen here last`
        : counted(count, {
            one: 'Of the one person who was seen here within the last 30 days',
            other: 'Of the # people who were seen here within the last 30 days',
          }),
    parts: {
      inside: 'are inside and go on',
      reached: 'may begin the tour',
      quiet: 'wait for the end of the quiet hours after another tour',
      waiting: 'wait for a larger rollout',
      held: 'are held out and never meet it',
      seen: 'have met it as often as its rule says',
      nothing: 'meet nothing, because nothing plays',
    },
  },
  actions: {
    noEarlier: (revision: number) =>
      `Revision ${revision} was the first to be released on this site: there is nothing before it to go back to.`,
    rollBack: 'Roll back',
    rollBackTitle: (site: string) => `Roll back on ${site}?`,
    playsAgain: (revision: number, site: string) => `Revision ${revision} plays on ${site} again.`,
    rollBackText: (previous: number, when: string, now: number) =>
      `Revision ${previous}, released ${when}, plays again instead of revision ${now}. The draft stays as it is.`,
    noteHint: 'Why, for your team.',
    adjust: 'Change',
    adjustTitle: (site: string) => `Rollout, holdout, goal and dates on ${site}`,
    adjustText: (revision: number) => `Revision ${revision} plays on. Whoever is inside goes on.`,
    adjustSubmit: 'Change it',
    adjusted: (site: string) => `The release on ${site} is changed.`,
    pause: 'Pause',
    pauseTitle: (site: string) => `Pause on ${site}?`,
    pauseText: 'Nobody begins the tour and nobody goes on with it until somebody resumes it.',
    paused: (site: string) => `The tour is paused on ${site}.`,
    resume: 'Resume',
    resumeTitle: (site: string) => `Resume on ${site}?`,
    resumeText: 'The same release plays again, for the same people.',
    resumed: (site: string) => `The tour plays on ${site} again.`,
    end: 'End',
    endTitle: (site: string) => `Stop playing on ${site}?`,
    endRelease: 'End the release',
    ended: (site: string) => `The tour does not play on ${site} any more.`,
    endText: 'Nobody on this site meets the tour any more until it is released again.',
  },
  sentence: {
    never: 'This tour has not been released yet.',
    inReview: (draft: number) => `Revision ${draft} is in review and has not been released.`,
    writing: (draft: number) => `Revision ${draft} is being written and has not been released.`,
    unchanged: 'The draft has no changes since.',
    nothingPlays: (newest: number) => `Nothing plays at the moment; revision ${newest} was the newest release.`,
    upToDate: 'The newest revision is released; nothing has changed since.',
    older: (newest: number) =>
      `An older revision plays; the newest released one is revision ${newest}, and can be released again.`,
    some: (newest: number, upToDate: number, all: number) =>
      `Revision ${newest}, the newest, plays on ${upToDate} of ${all} sites; an older one on the others.`,
  },
};

export type ReleaseTexts = typeof english;
export const t = defineMessages('release', english);
