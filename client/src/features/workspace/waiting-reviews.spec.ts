import { expect, it } from 'vitest';
import { isOwnReview, reviewsFor } from './waiting-reviews';

const account = (id: string) => ({ id, name: id });
const waiting = (by: string, reviewer: string | null, author = by) => ({
  by: account(by),
  reviewer: reviewer === null ? null : account(reviewer),
  revision: { author: account(author) },
});
const [fromPia, fromAnyone, own, written, fromAda] = [
  waiting('otto', 'pia'),
  waiting('otto', null),
  waiting('pia', null, 'otto'),
  waiting('otto', null, 'pia'),
  waiting('otto', 'ada'),
];
const reviews = [fromPia, fromAnyone, own, written, fromAda];

it('lists reviews from the member and from anyone, except of own drafts and requests', () => {
  expect(reviewsFor(reviews, 'pia', 'PUBLISHER')).toEqual([fromPia, fromAnyone]);
  expect(reviews.filter(each => isOwnReview(each, 'pia'))).toEqual([own, written]);
});

it('lists no reviews from anyone for a member who cannot approve them', () => {
  expect(reviewsFor(reviews, 'vera', 'AUTHOR')).toEqual([]);
});
