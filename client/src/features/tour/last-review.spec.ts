import { expect, it } from 'vitest';
import { defaultSince, reviewRequestingChanges } from './last-review';

const ada = { id: 'ada' };
const otto = { id: 'otto' };
const changesRequested = { id: 'first', state: 'RETURNED', by: otto, endedBy: ada } as const;

it('is the last review of a draft, when somebody else returned it', () => {
  expect(reviewRequestingChanges({ state: 'DRAFT', reviews: [changesRequested] })).toBe(changesRequested);
  expect(reviewRequestingChanges({ state: 'DRAFT', reviews: [] })).toBeNull();
});

it('is none when its author took it back, or when it is in review again', () => {
  const withdrawn = { ...changesRequested, endedBy: otto };
  expect(reviewRequestingChanges({ state: 'DRAFT', reviews: [withdrawn, changesRequested] })).toBeNull();
  expect(
    reviewRequestingChanges({
      state: 'IN_REVIEW',
      reviews: [{ ...changesRequested, state: 'WAITING', endedBy: null }, changesRequested],
    }),
  ).toBeNull();
});

it('is compared with what was looked at when it was returned, until it is released', () => {
  const waiting = { id: 'second', state: 'WAITING', by: otto, endedBy: null } as const;
  const withdrawn = { ...changesRequested, id: 'taken', endedBy: otto };
  expect(defaultSince({ number: 3, state: 'IN_REVIEW', reviews: [waiting, withdrawn, changesRequested] })).toBe(
    'first',
  );
  expect(defaultSince({ number: 3, state: 'IN_REVIEW', reviews: [waiting, withdrawn] })).toBe(2);
  expect(defaultSince({ number: 3, state: 'DRAFT', reviews: [changesRequested] })).toBe('first');
  expect(
    defaultSince({
      number: 3,
      state: 'FROZEN',
      reviews: [{ ...waiting, state: 'RELEASED', endedBy: ada }, changesRequested],
    }),
  ).toBe(2);
  expect(defaultSince({ number: 1, state: 'DRAFT', reviews: [] })).toBe(0);
});
