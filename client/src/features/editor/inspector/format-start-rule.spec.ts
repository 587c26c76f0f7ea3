import { expect, it } from 'vitest';
import { newCondition, newGroup } from '../../tour/condition-tree';
import { defaultStart } from '../../tour/draft';
import { formatStartRule } from './format-start-rule';

it('includes the start delay with fractions of a second', () => {
  expect(formatStartRule({ ...defaultStart, delayMs: 500 })).toMatch(/, after 0\.5 s\.$/);
  expect(formatStartRule({ ...defaultStart, delayMs: 0 })).not.toContain('after');
});

it('joins conditions of any kind into a sentence', () => {
  const names = { segment: () => 'Pro customers', tour: () => undefined };
  const when = newGroup('all', [newCondition('segment'), newCondition('device'), newCondition('page')]);
  expect(formatStartRule({ ...defaultStart, when }, names)).toMatch(
    /, if the visitor is in Pro customers and the device is a desktop and the page is \/\*\.$/,
  );
});
