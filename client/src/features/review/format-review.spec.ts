import { expect, it } from 'vitest';
import { formatReviewEnd, formatLastReview } from './format-review';

const [ada, otto] = [
  { id: 'ada', name: 'Ada' },
  { id: 'otto', name: 'Otto' },
];
const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const [at, endedAt] = ['2026-01-01T10:00:00.000Z', '2026-01-01T11:00:00.000Z'];
const waiting = { state: 'WAITING', by: otto, reviewer: null, at, endedBy: null, endedAt: null } as const;
const returned = { ...waiting, state: 'RETURNED', endedBy: ada, endedAt } as const;

it('formats the outcome of a review, and nothing while it is pending', () => {
  expect(formatReviewEnd(waiting, NOW)).toBe('');
  expect(formatReviewEnd(returned, NOW)).toBe('Ada requested changes 1 hour ago.');
  expect(formatReviewEnd({ ...returned, endedBy: otto }, NOW)).toContain('Otto withdrew the review request');
  expect(formatReviewEnd({ ...returned, state: 'RELEASED' }, NOW)).toContain('Ada released it');
});

it('reports that no review was requested, or the newest one', () => {
  expect(formatLastReview({ number: 3, reviews: [] }, NOW)).toBe('No review was requested for revision 3.');
  expect(formatLastReview({ number: 3, reviews: [waiting, returned] }, NOW)).toBe(
    'Otto requested a review 2 hours ago.',
  );
  expect(formatLastReview({ number: 3, reviews: [{ ...waiting, reviewer: ada }] }, NOW)).toBe(
    'Otto requested a review from Ada 2 hours ago.',
  );
  expect(formatLastReview({ number: 3, reviews: [returned] }, NOW)).toBe('Ada requested changes 1 hour ago.');
});
