import { expect, it } from 'vitest';
import { formatTrend, rangeBefore } from './trend';

it('compares with the equally long range before', () => {
  expect(rangeBefore({ from: '2026-03-01', to: '2026-03-30' })).toEqual({ from: '2026-01-30', to: '2026-02-28' });
  expect(rangeBefore({ from: '2026-03-01', to: '2026-03-01' })).toEqual({ from: '2026-02-28', to: '2026-02-28' });
});

it('formats a change of a count in percent, and of a rate in points', () => {
  const days = 30;
  expect(formatTrend('count', { now: 120, before: 100, days })).toBe('+20% from the 30 days before');
  expect(formatTrend('count', { now: 100, before: 100, days })).toBe('0% from the 30 days before');
  expect(formatTrend('count', { now: 3, before: 0, days: 1 })).toBe('None the day before');
  expect(formatTrend('rate', { now: 0.645, before: 0.6, days })).toBe('+4.5 points from the 30 days before');
  expect(formatTrend('rate', { now: null, before: 0.6, days })).toBeNull();
});
