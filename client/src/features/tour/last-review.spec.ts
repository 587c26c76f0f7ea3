import { expect, it } from 'vitest';
import { firstSince, returnedReview } from './last-review';

const ada = { id: 'ada' };
const otto = { id: 'otto' };
const returned = { id: 'first', state: 'RETURNED', by: otto, endedBy: ada } as const;

it('is the last review of a draft, when somebody else returned it', () => {
  expect(returnedReview({ state: 'DRAFT', reviews: [returned] })).toBe(returned);
  expect(returnedReview({ state: 'DRAFT', reviews: [] })).toBeNull();
});

it('is none when its author took it back, or when it is in review again', () => {
  const takenBack = { ...returned, endedBy: otto };
  expect(returnedReview({ state: 'DRAFT', reviews: [takenBack, returned] })).toBeNull();
  expect(
    returnedReview({ state: 'IN_REVIEW', reviews: [{ ...returned, state: 'WAITING', endedBy: null }, returned] }),
  ).toBeNull();
});

it('is compared with what was looked at when it was returned, until it is released', () => {
  const waiting = { id: 'second', state: 'WAITING', by: otto, endedBy: null } as const;
  const takenBack = { ...returned, id: 'taken', endedBy: otto };
  expect(firstSince({ number: 3, state: 'IN_REVIEW', reviews: [waiting, takenBack, returned] })).toBe('first');
  expect(firstSince({ number: 3, state: 'IN_REVIEW', reviews: [waiting, takenBack] })).toBe(2);
  expect(firstSince({ number: 3, state: 'DRAFT', reviews: [returned] })).toBe('first');
  expect(
    firstSince({ number: 3, state: 'FROZEN', reviews: [{ ...waiting, state: 'RELEASED', endedBy: ada }, returned] }),
  ).toBe(2);
  expect(firstSince({ number: 1, state: 'DRAFT', reviews: [] })).toBe(0);
});
