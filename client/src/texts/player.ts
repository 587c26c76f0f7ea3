import { catalogue } from '../lib/language';

const english = {
  next: 'Next',
  previous: 'Previous',
  done: 'Done',
  close: 'Close',
  gotIt: 'Got it',
  hint: (title: string) => `Hint: ${title}`,
  of: 'of',
  count: (at: number, all: number) => `${at} of ${all}`,
  preview: {
    demoPage: 'Demo page',
    title: 'Preview',
    waits: 'Nothing is shown: the tour waits.',
    missing: (step: string) => `“${step}” points at an element that this page does not have: shown in the middle.`,
    end: 'End preview',
  },
};

export type PlayerTexts = typeof english;
export const t = catalogue('player', english);
