import { catalogue } from '../language';

const english = {
  justNow: 'just now',
};

export type FormatTexts = typeof english;
export const t = catalogue('format', english);
