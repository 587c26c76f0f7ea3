import { newStep, type Step } from './draft';

/** Its key is the title. */
export const draftStep = (key: string, change: Partial<Step> = {}): Step => ({
  ...newStep([]),
  key,
  title: key,
  ...change,
});
