import type { FormatTexts } from '../format';

export const format: FormatTexts = {
  justNow: 'gerade eben',
};
