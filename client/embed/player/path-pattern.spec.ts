import { expect, it } from 'vitest';
import examples from '../../../server/waypost/domain/content/page-patterns.json';
import { matchesPath } from './path-pattern';

it.each(examples)('matches pages like the server: $pattern on $page: $matches', ({ pattern, page, matches }) => {
  expect(matchesPath(pattern, page)).toBe(matches);
});
