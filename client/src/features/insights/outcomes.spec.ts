import { expect, it } from 'vitest';
import { outcomesOf } from './outcomes';

it('lists every way in which runs ended, and those that are still active', () => {
  const counts = { completed: 60, dismissed: 15, stopped: 5, abandoned: 0, failed: 5, superseded: 3, active: 12 };
  expect(outcomesOf(counts).map(({ key, runs }) => [key, runs])).toEqual([
    ['completed', 60],
    ['dismissed', 15],
    ['stopped', 5],
    ['failed', 5],
    ['superseded', 3],
    ['active', 12],
  ]);
});
