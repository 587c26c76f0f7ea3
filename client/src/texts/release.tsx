import type { ReactNode } from 'react';
import { counted } from '../lib/format';
import { catalogue } from '../lib/language';

const english = {
  dialog: {
    title: (revision: number) => `Release revision ${revision}`,
    description: 'It is frozen as it is and plays on the sites you choose, instead of what plays there now.',
    playsNow: (tour: string, sites: string) => `“${tour}” plays on ${sites} now.`,
    sites: 'Sites',
    unseen: 'No page of this site has been heard of yet.',
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
    release: 'Release',
    plays: (revision: ReactNode, since: string, by: string, backTo: string | null) => <>{revision} since {since}, released by {by}{backTo === null ? '' : `, gone back to the release of ${backTo}`}.</>,
    revision: (number: number) => `Revision ${number}`,
    quoted: (note: string) => `“${note}”`,
    nothingNow: 'Nothing plays here at the moment.',
    nothingYet: 'Nothing plays here yet.',
    history: (count: number) => counted(count, { one: 'History: # release', other: 'History: # releases' }),
    releasesOn: (site: string) => `Releases on ${site}`,
    rollback: '(rollback)',
    by: (when: string, who: string) => `${when} by ${who}`,
    ended: (when: string) => `, ended ${when}`,
  },
  actions: {
    noEarlier: 'There is no earlier release on this site to go back to.',
    rollBack: 'Roll back',
    rollBackTitle: (site: string) => `Roll back on ${site}?`,
    playsAgain: (revision: number, site: string) => `Revision ${revision} plays on ${site} again.`,
    rollBackText: (previous: number, when: string, now: number) => `Revision ${previous}, released ${when}, plays again instead of revision ${now}. The draft stays as it is.`,
    end: 'End',
    endTitle: (site: string) => `Stop playing on ${site}?`,
    endRelease: 'End the release',
    ended: (site: string) => `The tour does not play on ${site} any more.`,
    endText: 'Nobody on this site meets the tour any more until it is released again.',
  },
  sentence: {
    never: 'This tour has not been released yet.',
    writing: (draft: number) => `Revision ${draft} is being written and has not been released.`,
    unchanged: 'The draft has no changes since.',
    nothingPlays: (newest: number) => `Nothing plays at the moment; revision ${newest} was the newest release.`,
    upToDate: 'The newest revision is released; nothing has changed since.',
    older: (newest: number) => `An older revision plays; the newest released one is revision ${newest}.`,
    some: (newest: number, upToDate: number, all: number) => `Revision ${newest}, the newest, plays on ${upToDate} of ${all} sites; an older one on the others.`,
  },
};

export type ReleaseTexts = typeof english;
export const t = catalogue('release', english);
