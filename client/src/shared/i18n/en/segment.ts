import { counted, formatCount } from '../format';
import { defineMessages } from '../messages';

const english = {
  list: {
    title: 'Segments',
    description: 'Named groups of visitors that tours share as their audience.',
    loading: 'Loading segments',
    new: 'New segment',
    empty: 'No segments yet',
    emptyText: 'Define who your visitors are once, such as “Pro customers”, and choose it as the audience of any tour.',
    unused: 'Not used by a tour',
    usedBy: (count: number) => counted(count, { one: 'Used by # tour', other: 'Used by # tours' }),
  },
  page: {
    loading: 'Loading segment',
    newTitle: 'New segment',
    example: 'Pro customers',
    definition: 'Who belongs to this segment',
    hint: 'Tests traits, signed IDs, and progress in other tours.',
    live: 'Changes take effect on released tours immediately.',
    tours: 'Tours with this segment',
    noTours: 'No tour uses this segment.',
    create: 'Create segment',
    created: (name: string) => `“${name}” created.`,
    save: 'Save segment',
    saved: 'Segment saved. Released tours use it now.',
    undo: 'Discard changes',
    leaveText: 'Your changes to this segment haven’t been saved.',
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteSegment: 'Delete segment',
    deleted: (name: string) => `“${name}” deleted.`,
    inUse: 'Segments that are used by tours can’t be deleted.',
  },
  audience: {
    label: 'Who sees it',
    everyone: 'Everyone',
    segments: 'Segments',
    custom: 'Custom rules',
    edit: 'Edit segments',
    deleted: 'Deleted segment',
  },
  matches: {
    site: 'Count visitors of',
    loading: 'Counting visitors…',
    failed: 'The visitors can’t be counted right now.',
    none: 'No known visitors in the last 30 days.',
    exact: (matching: number, visitors: string) => `Matches ${formatCount(matching)} of ${visitors}.`,
    maximum: (matching: number, visitors: string) =>
      `Matches at most ${formatCount(matching)} of ${visitors}, depending on page, language, and device.`,
    visitors: (count: number) =>
      counted(count, { one: '# visitor of the last 30 days', other: '# visitors of the last 30 days' }),
    mostRecent: (count: number) => `the ${formatCount(count)} most recent visitors`,
  },
};

export type SegmentTexts = typeof english;
export const t = defineMessages('segment', english);
