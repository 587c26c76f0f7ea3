import type { MockStep } from './SpotlightMock';

/** The step that themes are shown with. */
export const sampleStep: MockStep = {
  kind: 'SPOTLIGHT',
  title: 'Start here',
  body: 'A step says in a sentence or two what this element is for.',
  side: 'BOTTOM',
  next: 'Next',
  previous: 'Previous',
  count: '1 of 3',
};
