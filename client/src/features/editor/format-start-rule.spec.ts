import { expect, it } from 'vitest';
import { defaultStart } from '../tour/draft';
import { formatStartRule } from './format-start-rule';

it('includes the start delay with fractions of a second', () => {
  expect(formatStartRule({ ...defaultStart, delayMs: 500 })).toMatch(/, after 0\.5 s\.$/);
  expect(formatStartRule({ ...defaultStart, delayMs: 0 })).not.toContain('after');
});
