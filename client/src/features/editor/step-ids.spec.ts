import { expect, it } from 'vitest';
import { updateStepIds } from './step-ids';

const start = updateStepIds([], ['a', 'b', 'c']);
const ids = (keys: string[], before = start) => updateStepIds(before, keys).map(each => each.id);

it('a step keeps its name when its key changes, and when it gets its former key back', () => {
  const renamed = updateStepIds(start, ['a', 'billing', 'c']);
  expect(renamed.map(each => each.id)).toEqual(['a', 'b', 'c']);
  expect(ids(['a', 'b', 'c'], renamed)).toEqual(['a', 'b', 'c']);
});

it('steps keep their names when they move, and when others come and go', () => {
  expect(ids(['c', 'a', 'b'])).toEqual(['c', 'a', 'b']);
  expect(ids(['a', 'new', 'b', 'c'])).toEqual(['a', 'new', 'b', 'c']);
  expect(ids(['a', 'c'])).toEqual(['a', 'c']);
});

it('no two steps share a name, also when a key is used again', () => {
  const renamed = updateStepIds(start, ['a', 'billing', 'c']);
  expect(ids(['a', 'billing', 'b', 'c'], renamed)).toEqual(['a', 'b', 'b 2', 'c']);
});

it('nothing changes when no key does', () => {
  expect(updateStepIds(start, ['a', 'b', 'c'])).toBe(start);
});
