import { beforeEach, expect, it } from 'vitest';
import { takeUnannounced } from './announced-reviews';

beforeEach(() => localStorage.clear());

const reviews = (...ids: string[]) => ids.map(id => ({ id }));

it('announces a review that was requested before the page had loaded, once', () => {
  // The previous page of the member.
  expect(takeUnannounced('ada', 'crew', reviews())).toEqual([]);
  expect(takeUnannounced('ada', 'crew', reviews('1'))).toEqual(reviews('1'));
  expect(takeUnannounced('ada', 'crew', reviews('1'))).toEqual([]);
  expect(takeUnannounced('ada', 'crew', reviews('1', '2'))).toEqual(reviews('2'));
});

it('announces no reviews that wait when a member opens the workspace for the first time', () => {
  expect(takeUnannounced('ada', 'crew', reviews('1'))).toEqual([]);
  expect(takeUnannounced('ada', 'crew', reviews('1', '2'))).toEqual(reviews('2'));
});

it('keeps accounts and workspaces apart, and forgets reviews that have ended', () => {
  takeUnannounced('ada', 'crew', reviews('1'));
  expect(takeUnannounced('bob', 'crew', reviews('1'))).toEqual([]);
  expect(takeUnannounced('ada', 'other', reviews('1'))).toEqual([]);
  takeUnannounced('ada', 'crew', reviews());
  expect(localStorage.getItem('waypost:announced-reviews:ada:crew')).toBe('[]');
});

it('replaces an unreadable entry', () => {
  localStorage.setItem('waypost:announced-reviews:ada:crew', '{');
  expect(takeUnannounced('ada', 'crew', reviews('1'))).toEqual([]);
  expect(takeUnannounced('ada', 'crew', reviews('1', '2'))).toEqual(reviews('2'));
});
