import { describe, expect, it } from 'vitest';
import { clockTimeOrDate, formatDuration, formatSeconds } from './format';
import { showLanguage } from './language';

it('the end of a session has a date unless it is today', () => {
  const now = new Date(2026, 10, 24, 8, 0);
  expect(clockTimeOrDate(new Date(2026, 10, 24, 9, 30, 5), now)).toMatch(/^9:30:05/);
  expect(clockTimeOrDate(new Date(2026, 11, 4, 9, 30, 5), now)).toMatch(/^Dec 4, 2026, 9:30/);
});

describe('words', () => {
  it('count times', () => {
    expect([900, 59_600, 80_000, 120_000, 3_700_000].map(formatDuration)).toEqual([
      '1 s',
      '1 min',
      '1 min 20 s',
      '2 min',
      '1 h 1 min',
    ]);
  });

  it('keep fractions of configured seconds', async () => {
    expect([500, 3000, 60_000].map(formatSeconds)).toEqual(['0.5 s', '3 s', '1 min']);
    await showLanguage('de');
    expect(formatSeconds(2500)).toBe('2,5 s');
    await showLanguage('en');
  });
});
