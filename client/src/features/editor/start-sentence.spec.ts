import { expect, it } from 'vitest';
import { freshStart } from '../tour/draft';
import { startSentence } from './start-sentence';

it('says after what time a tour starts, to the part of a second', () => {
  expect(startSentence({ ...freshStart, delayMs: 500 })).toMatch(/, after 0\.5 s\.$/);
  expect(startSentence({ ...freshStart, delayMs: 0 })).not.toContain('after');
});
