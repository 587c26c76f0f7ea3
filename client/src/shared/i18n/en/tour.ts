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
    WAITING: 'Released, not installed',
    PAUSED: 'Paused',
    STOPPED: 'Stopped',
    ARCHIVED: 'Archived',
    changed: 'Unreleased changes',
    revisions: {
      LIVE: (revisions: readonly number[], passed: number | null) => {
        const numbers = formatList(revisions.map(formatCount));
        const live = counted(revisions.length, {
          one: `Live: revision ${numbers}`,
          other: `Live: revisions ${numbers}`,
        });
        return passed === null ? live : `${live} (newest: ${formatCount(passed)})`;
      },
      WAITING: (revisions: readonly number[], passed: number | null) => {
        const numbers = formatList(revisions.map(formatCount));
        const released = counted(revisions.length, {
          one: `Released, not installed: revision ${numbers}`,
          other: `Released, not installed: revisions ${numbers}`,
        });
        return passed === null ? released : `${released} (newest: ${formatCount(passed)})`;
      },
      PAUSED: (revisions: readonly number[], passed: number | null) => {
        const numbers = formatList(revisions.map(formatCount));
        const paused = counted(revisions.length, {
          one: `Paused: revision ${numbers}`,
          other: `Paused: revisions ${numbers}`,
        });
        return passed === null ? paused : `${paused} (newest: ${formatCount(passed)})`;
      },
    },
  },
  revision: {
    draft: 'Draft',
    inReview: 'In review',
    returned: 'Changes requested',
    frozen: 'Released',
  },
  title: {
    archived: 'Restore the tour to rename it.',
    rename: 'Rename',
    dialog: 'Rename tour',
    done: 'Tour renamed.',
    hint: 'Visitors see this title. The slug stays the same.',
    label: 'Title',
  },
  frame: {
    loading: 'Loading tour',
    write: 'Edit',
    release: 'Releases',
    insights: 'Insights',
    tour: 'Tour',
    openBy: (names: readonly string[]) =>
      counted(names.length, {
        one: `${formatList(names)} also has this tour open`,
        other: `${formatList(names)} also have this tour open`,
      }),
    live: 'This tour is live. Stop it on all sites first.',
    duplicateThis: 'Duplicate this tour',
    more: 'Tour actions',
    duplicate: 'Duplicate',
    archive: 'Archive',
    archiveTitle: (title: string) => `Archive “${title}”?`,
    archiveTour: 'Archive tour',
    archived: (title: string) => `“${title}” archived.`,
    archiveText: 'It can’t be edited or released until it’s restored. Its insights are kept.',
    isArchived: 'This tour is archived. Restore it to edit or release it.',
    restore: 'Restore',
    thisTour: 'This tour',
  },
  broken: {
    tour: 'Elements missing',
    hint: 'In most runs of the last 7 days, a step didn’t find its element. See Insights.',
  },
  language: {
    example: 'de-LI',
    other: 'Another language…',
    tag: 'Language tag',
  },
  firstSteps: {
    title: 'Get your first tour live',
    description: 'Four steps from an empty workspace to visitors who see a tour.',
    done: 'Done: ',
    open: 'To do: ',
    names: {
      site: 'Add your site',
      install: 'Install Waypost on its pages',
      tour: 'Write a tour',
      release: 'Release the tour',
    },
    hints: {
      site: 'A site is an application, such as your shop, with the addresses of its pages.',
      install: 'The site’s page shows what to add to your pages, and whether a page has loaded its tours.',
      tour: 'Start from a template, or with an empty tour.',
      release: 'Choose the site and who sees the tour.',
    },
    /** Texts of steps that need an earlier one. */
    before: {
      install: 'First add your site.',
      release: 'First write a tour.',
    },
  },
  list: {
    title: 'Tours',
    new: 'New tour',
    description: 'Guided tours that show visitors around your product, step by step.',
    status: 'Status',
    loading: 'Loading tours',
    count: (count: number) => counted(count, { one: '# tour', other: '# tours' }),
    days: 'Runs are those of the last 30 days.',
    found: (count: number) => counted(count, { one: '# tour found', other: '# tours found' }),
    noMatch: 'No matching tours',
    showAll: 'Show all tours',
    noMatchFor: (search: string, filtered: boolean) =>
      filtered ? `No tours with this site and status match “${search}”.` : `No tours match “${search}”.`,
    noneWithFilter: 'No tours have this site and status.',
    empty: 'No tours yet',
    emptyText:
      'A tour guides visitors through a page, one step at a time. To create your first one, you need a title and two or three steps.',
    search: 'Search tours',
    searchHint: 'Search by title or slug',
    allSites: 'All sites',
    columns: {
      tour: 'Tour',
      status: 'Status',
      sites: 'Site',
      runs: 'Runs',
      completion: 'Completion',
      changed: 'Updated',
    },
    by: (author: string) => `by ${author}`,
    builtIn: 'The tours of Waypost’s own interface are built in.',
    showBuiltIn: 'Show built-in tours',
  },
  selection: {
    label: 'Selected tours',
    count: (count: number) => counted(count, { one: '# tour selected', other: '# tours selected' }),
    archive: 'Archive selected tours',
    restore: 'Restore selected tours',
    clear: 'Clear selection',
    live: (titles: readonly string[]) =>
      counted(titles.length, {
        one: `“${formatList(titles)}” is live. Stop it on all sites first.`,
        other: '# of the selected tours are live. Stop them on all sites first.',
      }),
    archived: (count: number) => counted(count, { one: '# tour archived.', other: '# tours archived.' }),
    restored: (count: number) => counted(count, { one: '# tour restored.', other: '# tours restored.' }),
    failed: (titles: readonly string[], reason: string) => `Not changed: ${formatList(titles)}. ${reason}`,
    undo: 'Undo',
  },
  picker: {
    placeholder: 'Search for a tour',
    nothing: 'No tours match.',
    more: (count: number) =>
      counted(count, { one: '# more tour. Type to search.', other: '# more tours. Type to search.' }),
  },
  filters: {
    ALL: 'All',
    LIVE: 'Live',
    PAUSED: 'Paused',
    STOPPED: 'Stopped',
    DRAFT: 'Drafts',
    IN_REVIEW: 'In review',
    ARCHIVED: 'Archived',
  },
  create: {
    duplicateTitle: (title: string) => `Duplicate “${title}”`,
    new: 'New tour',
    duplicateText:
      'The new tour gets the same steps, start rule, and theme. Releases and insights stay with the original.',
    newText: 'You can change the title at any time.',
    copyOf: (title: string) => `Copy of ${title}`,
    template: (template: string) => `template “${template}”`,
    example: 'Getting started',
    addressHint: 'Used in links and code. Can’t be changed later.',
    language: 'Language',
    languageHint: 'The language in which you write the steps.',
    duplicate: 'Duplicate tour',
    create: 'Create tour',
    startFrom: 'Start from',
  },
};

export type TourTexts = typeof english;
export const t = defineMessages('tour', english);
