import type { ReactNode } from 'react';
import { counted, formatCount } from '../format';
import { defineMessages } from '../messages';

const english = {
  dialog: {
    title: (revision: number) => `Release revision ${revision}`,
    titleAgain: (revision: number) => `Release revision ${revision} again`,
    description: 'This revision is frozen and goes live on the sites you choose.',
    descriptionAgain: 'The draft has no changes since this revision. It goes live on the sites you choose.',
    replaces: 'It replaces any current release of this tour.',
    released: (tour: string, sites: string) =>
      `“${tour}” is released to ${sites}. It starts once Waypost is installed there.`,
    nowLive: (tour: string, sites: string) => `“${tour}” is now live on ${sites}.`,
    sites: 'Sites',
    notInstalled: 'Waypost isn’t installed on this site yet. You can release now; the tour starts once it is.',
    own: 'Waypost’s own interface: everyone who signs in will see it.',
    sameAsCurrent: 'Same sites and audience as the current release. Adjust as needed.',
    sameAsLast: 'Same site and audience as the last release. Adjust as needed.',
    chooseSite: 'Choose at least one site.',
    note: 'Note',
    noteHint: 'What changed? (visible to your team)',
    solveFirst: 'Fix the problems first.',
    submit: 'Release',
    blockers: 'Fix these problems before releasing:',
    warnings: 'Consider before releasing:',
    problems: 'Problems',
  },
  page: {
    loading: 'Loading releases',
    archived: 'This tour is archived. Restore it to release it.',
    siteFirst: 'Add a site first.',
    title: 'Releases',
    noSite: 'No sites yet',
    toSites: 'Go to Sites',
    noSiteText: 'Tours are released to sites. Add your first site, then come back.',
    live: 'Live',
    released: 'Released',
    paused: 'Paused',
    scheduled: 'Scheduled',
    openPage: 'Open the last visited page',
    seeAgain: (visitors: ReactNode): ReactNode => (
      <>To take the tour again, find your visit under {visitors} and reset it.</>
    ),
    firstPage: 'Starts once Waypost is installed on this site',
    release: 'Release',
    liveSince: (revision: ReactNode, since: string, by: string, backTo: string | null) =>
      backTo === null ? (
        <>
          {revision}, released by {by} on {since}.
        </>
      ) : (
        <>
          {revision}, rolled back by {by} on {since} to the release of {backTo}.
        </>
      ),
    pausedBy: (when: string, who: string) => `Paused by ${who} on ${when}.`,
    revision: (number: number) => `Revision ${number}`,
    quoted: (note: string) => `“${note}”`,
    notLive: 'Not currently live here.',
    notReleased: 'Not released here yet.',
    history: (count: number) => counted(count, { one: 'History: # release', other: 'History: # releases' }),
    releasesOn: (site: string) => `Releases on ${site}`,
    rollback: '(rollback)',
    adjusted: '(settings changed)',
    by: (when: string, who: string) => `${when} by ${who}`,
    endedOnSchedule: (when: string) => `Ended on ${when} as scheduled`,
    replaced: 'Replaced',
    changed: { LIVE: 'Resumed', PAUSED: 'Paused', ENDED: 'Stopped' },
  },
  terms: {
    title: 'Rollout, goal, and schedule',
    allVisitors: 'all visitors, starting now',
    everyone: 'all visitors',
    rollout: 'Rollout',
    rolloutHint:
      'Percentage of visitors who can see the tour. If you raise it later, everyone already included stays included.',
    holdout: 'Holdout',
    holdoutHint: 'Percentage of visitors who never see it, for comparison. Taken before the rollout.',
    atMost: (percent: number) => `Maximum ${percent}%.`,
    rolloutExhausted: (percent: number) =>
      `A rollout above ${percent}% has no effect, because the rest are in the holdout.`,
    ofHundred: ({ holdout, seen, waiting }: { holdout: number; seen: number; waiting: number }) => {
      const parts = [
        counted(seen, { one: '# sees the tour', other: '# see the tour' }),
        ...(holdout > 0 ? [counted(holdout, { one: '# never does (holdout)', other: '# never do (holdout)' })] : []),
        ...(waiting > 0
          ? [counted(waiting, { one: '# is outside the rollout', other: '# are outside the rollout' })]
          : []),
      ];
      return `Of 100 matching visitors: ${parts.join(', ')}.`;
    },
    goal: 'Goal',
    goalHint:
      'The event this tour should drive, e.g. order_placed. Insights compare how many visitors reach it. Send it from your page:',
    goalIsStartEvent: 'The tour starts with this event, so every visitor who sees it has already reached the goal.',
    goalMissing: 'Without a goal, there’s nothing to compare with the holdout.',
    startsAt: 'Starts',
    startsAtHint: 'Your time zone. Leave empty to start now.',
    endsAt: 'Ends',
    endsAtHint: 'Leave empty to run until stopped.',
    endFirst: 'The release would end before it starts. Choose a later end.',
    endActiveRuns: 'Restart the tour for visitors in the middle of it',
    endActiveRunsHint: 'Otherwise they continue where they left off.',
    stopActiveRuns: 'End active runs',
    stopActiveRunsHint: 'Otherwise they count as active until they’re completed, dismissed, or abandoned.',
    for: (share: string) => `${share} of visitors`,
    holdoutShare: (share: string) => `${share} holdout`,
    goalIs: (event: string) => `Goal: ${event}`,
    from: (when: string) => `from ${when}`,
    until: (when: string) => `until ${when}`,
  },
  impact: {
    title: 'What changes for visitors',
    loading: 'Counting visitors',
    part: 'Visitors',
    before: 'Now',
    after: 'After',
    notLive: 'Not live there now.',
    pausedNow: (revision: number) => `Revision ${revision} is paused there.`,
    scheduled: (revision: number, when: string) => `Revision ${revision} is scheduled there for ${when}.`,
    live: (revision: number) => `Revision ${revision} is live there.`,
    afterPause: 'No visitor will see the tour until you resume it.',
    afterEnd: 'No visitor will see the tour anymore.',
    afterSchedule: (revision: number, when: string) =>
      `No visitor will see the tour until ${when}; then revision ${revision} goes live.`,
    goesLive: (revision: number) => `Revision ${revision} goes live.`,
    staysLive: 'It stays live.',
    noneActive: 'No one is in the tour right now.',
    active: (count: number) =>
      counted(count, { one: '# visitor is in the tour now:', other: '# visitors are in the tour now:' }),
    activePaused: 'they can continue after the pause, within 24 hours of their last step.',
    activeEnded: 'their runs end. On pages that are already open, the tour can still be finished.',
    activeLeft: 'on pages that are already open, the tour can still be finished; it doesn’t continue on others.',
    activeAgain: 'their runs end, and the tour restarts for them.',
    activeContinue: (ways: string) => `${ways}.`,
    stay: (count: number) =>
      counted(count, { one: '# stays on their current step', other: '# stay on their current step' }),
    move: (count: number) =>
      counted(count, {
        one: '# moves to the first step they haven’t seen, because their step was removed',
        other: '# move to the first step they haven’t seen, because their step was removed',
      }),
    finish: (count: number) =>
      counted(count, {
        one: '# has seen every step and moves to the last one',
        other: '# have seen every step and move to the last one',
      }),
    sameContent: 'The steps are unchanged.',
    added: (count: number, steps: string) =>
      `${counted(count, { one: '# step added', other: '# steps added' })}: ${steps}.`,
    removed: (count: number, steps: string) =>
      `${counted(count, { one: '# step removed', other: '# steps removed' })}: ${steps}.`,
    changed: (count: number, steps: string) =>
      `${counted(count, { one: '# step changed', other: '# steps changed' })}: ${steps}.`,
    reordered: 'The step order changed.',
    otherStart: (changes: string) => `The start rule changed: ${changes}.`,
    startField: (name: string, before: string, after: string) => `${name} “${after}” instead of “${before}”`,
    otherTheme: 'The theme changed.',
    noVisitors:
      'No known visitors on this site in the last 30 days. Anonymous visitors are counted from their first tour on.',
    visitors: (count: number) =>
      count >= 10_000
        ? `The ${formatCount(count)} most recent visitors`
        : counted(count, {
            one: 'The one visitor of the last 30 days',
            other: 'The # visitors of the last 30 days',
          }),
    parts: {
      active: 'are in the tour and continue',
      reached: 'can start the tour',
      coolingDown: 'are in the cooldown after another tour',
      waiting: 'are outside the rollout',
      holdout: 'are in the holdout and never see it',
      seen: 'have already seen it as often as allowed',
      nothing: 'won’t see it: no live release',
    },
  },
  actions: {
    noEarlier: (revision: number) =>
      `Revision ${revision} is the only revision released on this site. There’s no other one to roll back to.`,
    rollBack: 'Roll back',
    rollBackToRevision: (revision: number) => `Roll back to revision ${formatCount(revision)}`,
    rollBackTitle: (site: string) => `Roll back on ${site}?`,
    liveAgain: (revision: number, site: string) => `Revision ${revision} is live again on ${site}.`,
    rollBackText: (previous: number, when: string, now: number) =>
      `Revision ${previous}, released on ${when}, replaces revision ${now}. The draft isn’t changed.`,
    rollBackSettings: (before: string, after: string) => `The settings change from “${before}” to “${after}”.`,
    rollBackTo: 'Revision',
    rollBackChoice: (revision: number, when: string) => `Revision ${revision}, released on ${when}`,
    noteHint: 'Reason (visible to your team)',
    adjust: 'Edit settings',
    adjustTitle: (site: string) => `Release settings for ${site}`,
    adjustText: (revision: number) => `Revision ${revision} stays live. Active runs continue.`,
    adjustSubmit: 'Save',
    adjusted: (site: string) => `Release settings for ${site} saved.`,
    pause: 'Pause',
    pauseTitle: (site: string) => `Pause on ${site}?`,
    pauseText: 'No one sees the tour until you resume it.',
    paused: (site: string) => `Tour paused on ${site}.`,
    resume: 'Resume',
    resumeTitle: (site: string) => `Resume on ${site}?`,
    resumeText: 'The same release goes live again for the same audience.',
    resumed: (site: string) => `Tour resumed on ${site}.`,
    end: 'Stop',
    endTitle: (site: string) => `Stop this tour on ${site}?`,
    endRelease: 'Stop tour',
    ended: (site: string) => `Tour stopped on ${site}.`,
    endText: 'No one on this site sees the tour until it’s released again.',
  },
  sentence: {
    never: 'This tour hasn’t been released yet.',
    inReview: (draft: number) => `Revision ${draft} is in review and hasn’t been released.`,
    writing: (draft: number) => `Revision ${draft} is a draft and hasn’t been released.`,
    unchanged: 'The draft has no changes since.',
    notLive: (last: number, newest: number) =>
      last === newest
        ? `Not live right now. Revision ${last} was live last.`
        : `Not live right now. Revision ${last} was live last; the newest is revision ${newest}.`,
    awaiting: 'Released. It starts once Waypost is installed on a site of the release.',
    upToDate: 'The newest revision is live. The draft has no changes since.',
    older: (newest: number) => `An older revision is live. You can release revision ${newest} again when you’re ready.`,
    some: (newest: number, upToDate: number, all: number) =>
      `Revision ${newest}, the newest, is live on ${upToDate} of ${all} sites. The others have an older revision.`,
  },
};

export type ReleaseTexts = typeof english;
export const t = defineMessages('release', english);
