import { expect, it } from 'vitest';
import { openStepComments, openTourComments } from './comments';

const comment = (stepKey: string | null, resolvedAt: string | null = null) => ({ stepKey, resolvedAt });
const resolvedAt = '2026-01-01T00:00:00.000Z';
const [whole, hello, gone] = [comment(null), comment('hello'), comment('gone')];
const comments = [
  whole,
  hello,
  gone,
  comment(null, resolvedAt),
  comment('hello', resolvedAt),
  comment('gone', resolvedAt),
];

it('beside a step is what is open about it', () => {
  expect(openStepComments(comments, 'hello')).toEqual([hello]);
});

it('about the tour is what is open about the whole, and about steps that are gone', () => {
  expect(openTourComments(comments, ['hello'])).toEqual([whole, gone]);
});
