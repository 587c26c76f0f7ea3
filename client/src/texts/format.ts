import { catalogue } from '../lib/language';

const english = {
  justNow: 'just now',
};

export type FormatTexts = typeof english;
export const t = catalogue('format', english);
