import { defineMessages } from '../messages';

const english = {
  justNow: 'just now',
};

export type FormatTexts = typeof english;
export const t = defineMessages('format', english);
