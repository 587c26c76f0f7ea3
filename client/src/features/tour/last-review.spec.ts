import { expect, it } from 'vitest';
import { defaultSince, reviewRequestingChanges } from './last-review';

const ada = { id: 'ada' };
const otto = { id: 'otto' };
const changesRequested = { id: 'first', state: 'RETURNED', by: otto, endedBy: ada } as const;

it('returns the last review of a draft if a reviewer requested changes', () => {
  expect(reviewRequestingChanges({ state: 'DRAFT', reviews: [changesRequested] })).toBe(changesRequested);
  expect(reviewRequestingChanges({ state: 'DRAFT', reviews: [] })).toBeNull();
});

it('returns null if the author withdrew the request, or if the draft is in review again', () => {
  const withdrawn = { ...changesRequested, endedBy: otto };
  expect(reviewRequestingChanges({ state: 'DRAFT', reviews: [withdrawn, changesRequested] })).toBeNull();
  expect(
    reviewRequestingChanges({
      state: 'IN_REVIEW',
      reviews: [{ ...changesRequested, state: 'WAITING', endedBy: null }, changesRequested],
    }),
  ).toBeNull();
});

it('compares with the content at the last request for changes, until the revision is released', () => {
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
