import { expect, it } from 'vitest';
import { updateStepIds } from './step-ids';

const start = updateStepIds([], ['a', 'b', 'c']);
const ids = (keys: string[], before = start) => updateStepIds(before, keys).map(each => each.id);

it('keeps the id of a step when its key changes and changes back', () => {
  const renamed = updateStepIds(start, ['a', 'billing', 'c']);
  expect(renamed.map(each => each.id)).toEqual(['a', 'b', 'c']);
  expect(ids(['a', 'b', 'c'], renamed)).toEqual(['a', 'b', 'c']);
});

it('keeps ids when steps move, and when others are added or removed', () => {
  expect(ids(['c', 'a', 'b'])).toEqual(['c', 'a', 'b']);
  expect(ids(['a', 'new', 'b', 'c'])).toEqual(['a', 'new', 'b', 'c']);
  expect(ids(['a', 'c'])).toEqual(['a', 'c']);
});

it('assigns unique ids, also when a key is reused', () => {
  const renamed = updateStepIds(start, ['a', 'billing', 'c']);
  expect(ids(['a', 'billing', 'b', 'c'], renamed)).toEqual(['a', 'b', 'b 2', 'c']);
});

it('returns the same array if no key changed', () => {
  expect(updateStepIds(start, ['a', 'b', 'c'])).toBe(start);
});
