import { counted, formatCount, formatList } from '../format';
import { defineMessages } from '../messages';

const english = {
  counts: {
    blockers: (count: number) => counted(count, { one: '# problem', other: '# problems' }),
    hints: (count: number) => counted(count, { one: '# suggestion', other: '# suggestions' }),
  },
  status: {
    DRAFT: 'Draft',
    LIVE: 'Live',
    PAUSED: 'Paused',
    ARCHIVED: 'Archived',
    changed: 'Unreleased changes',
    revisions: {
      LIVE: (revisions: readonly number[], passed: number | null) => {
        const numbers = formatList(revisions.map(formatCount));
        const said = counted(revisions.length, {
          one: `Revision ${numbers} is live`,
          other: `Revisions ${numbers} are live`,
        });
        return passed === null ? said : `${said}, not ${formatCount(passed)}`;
      },
      PAUSED: (revisions: readonly number[], passed: number | null) => {
        const numbers = formatList(revisions.map(formatCount));
        const said = counted(revisions.length, {
          one: `Revision ${numbers} is paused`,
          other: `Revisions ${numbers} are paused`,
        });
        return passed === null ? said : `${said}, not ${formatCount(passed)}`;
      },
    },
  },
  revision: {
    draft: 'Draft',
    inReview: 'In review',
    returned: 'Returned',
    frozen: 'Released',
  },
  title: {
    archived: 'Restore the tour to rename it.',
    rename: 'Rename',
    dialog: 'Rename the tour',
    done: 'The tour has its new title.',
    hint: 'Participants see it; the address stays the same.',
    label: 'Title',
  },
  frame: {
    loading: 'Loading the tour',
    write: 'Write',
    release: 'Release',
    insights: 'Insights',
    tour: 'Tour',
    live: 'It is live. End its releases first.',
    duplicateThis: 'Duplicate this tour',
    more: 'More about this tour',
    duplicate: 'Duplicate',
    archive: 'Archive',
    archiveTitle: (title: string) => `Archive “${title}”?`,
    archiveTour: 'Archive tour',
    archived: (title: string) => `“${title}” is archived.`,
    archiveText: 'It can no longer be edited or released until somebody restores it. Its insights stay.',
    isArchived: 'This tour is archived. Restore it to edit or release it.',
    restore: 'Restore',
    thisTour: 'This tour',
  },
  list: {
    title: 'Tours',
    new: 'New tour',
    description: 'Guided tours, step by step through your own pages.',
    status: 'Status',
    loading: 'Loading the tours',
    count: (count: number) => counted(count, { one: '# tour', other: '# tours' }),
    found: (count: number) => counted(count, { one: '# tour found', other: '# tours found' }),
    noMatch: 'Nothing matches',
    showAll: 'Show all tours',
    noneCalled: (search: string) => `No tour is called anything like “${search}”.`,
    noneOfStatus: (search: string) => `No tour with this status is called anything like “${search}”.`,
    noneWithStatus: 'No tour has this status.',
    empty: 'No tours yet',
    emptyText:
      'A tour leads people through a page, one step at a time. Make the first one: it takes a title and two or three steps.',
    search: 'Search tours',
    searchHint: 'Search by title or address',
    changed: (slug: string, when: string, who: string) => `${slug} · changed ${when} by ${who}`,
  },
  filters: {
    ALL: 'All',
    LIVE: 'Live',
    PAUSED: 'Paused',
    DRAFT: 'Drafts',
    IN_REVIEW: 'In review',
    ARCHIVED: 'Archived',
  },
  create: {
    duplicateTitle: (title: string) => `Duplicate “${title}”`,
    new: 'New tour',
    duplicateText:
      'The new tour begins with the same steps, start and theme. Releases and insights stay with the old one.',
    newText: 'You can change the title at any time.',
    copyOf: (title: string) => `Copy of ${title}`,
    beginning: (template: string) => `beginning with “${template}”`,
    example: 'Getting started',
    addressHint: "Names the tour in links and in the page's own code. It stays as it is.",
    duplicate: 'Duplicate tour',
    create: 'Create tour',
    begin: 'Begin with',
  },
};

export type TourTexts = typeof english;
export const t = defineMessages('tour', english);
