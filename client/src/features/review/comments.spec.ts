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

it('returns the unresolved comments on a step', () => {
  expect(openStepComments(comments, 'hello')).toEqual([hello]);
});

it('returns the unresolved comments on the tour and on removed steps', () => {
  expect(openTourComments(comments, ['hello'])).toEqual([whole, gone]);
});
