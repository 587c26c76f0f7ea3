import { expect, it } from 'vitest';
import { returnedReview } from './returned';

const ada = { id: 'ada' };
const otto = { id: 'otto' };
const returned = { state: 'RETURNED', by: otto, endedBy: ada } as const;

it('is the last review of a draft, when somebody else returned it', () => {
  expect(returnedReview({ state: 'DRAFT', reviews: [returned] })).toBe(returned);
  expect(returnedReview({ state: 'DRAFT', reviews: [] })).toBeNull();
});

it('is none when its author took it back, or when it is in review again', () => {
  const takenBack = { ...returned, endedBy: otto };
  expect(returnedReview({ state: 'DRAFT', reviews: [takenBack, returned] })).toBeNull();
  expect(returnedReview({ state: 'IN_REVIEW', reviews: [{ ...returned, state: 'WAITING', endedBy: null }, returned] })).toBeNull();
});
