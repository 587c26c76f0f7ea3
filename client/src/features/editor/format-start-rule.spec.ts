import { expect, it } from 'vitest';
import { freshStart } from '../tour/draft';
import { formatStartRule } from './format-start-rule';

it('says after what time a tour starts, to the part of a second', () => {
  expect(formatStartRule({ ...freshStart, delayMs: 500 })).toMatch(/, after 0\.5 s\.$/);
  expect(formatStartRule({ ...freshStart, delayMs: 0 })).not.toContain('after');
});
