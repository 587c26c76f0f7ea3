import { expect, it } from 'vitest';
import { formatMatches } from './format-matches';

it('formats the number of visitors who match', () => {
  const count = { matching: 412, visitors: 2031, isMaximum: false, isPartial: false };
  expect(formatMatches(count)).toBe('Matches 412 of 2,031 visitors of the last 30 days.');
  expect(formatMatches({ ...count, isMaximum: true })).toBe(
    'Matches at most 412 of 2,031 visitors of the last 30 days, depending on page, language, and device.',
  );
  expect(formatMatches({ ...count, visitors: 10_000, isPartial: true })).toBe(
    'Matches 412 of the 10,000 most recent visitors.',
  );
  expect(formatMatches({ ...count, matching: 0, visitors: 0 })).toBe('No known visitors in the last 30 days.');
});
