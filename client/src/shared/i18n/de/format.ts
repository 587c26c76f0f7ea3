import type { FormatTexts } from '../en/format';

export const format: FormatTexts = {
  justNow: 'gerade eben',
};
