import { newStep, type Step } from './draft';

/** A new step whose title is its key. */
export const draftStep = (key: string, change: Partial<Step> = {}): Step => ({
  ...newStep([]),
  key,
  title: key,
  ...change,
});
