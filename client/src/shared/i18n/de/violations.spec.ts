import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { problem } from './violations';

interface About {
  readonly examples: readonly { readonly violations: readonly { readonly problem: string }[] }[];
}

it('translates every violation in the table of examples', () => {
  const file = join(import.meta.dirname, '../../../../../server/traitql/golden-tests/tests/examples.json');
  const tables = JSON.parse(readFileSync(file, 'utf8')) as readonly About[];
  const english = new Set(
    tables.flatMap(table => table.examples.flatMap(each => each.violations.map(({ problem }) => problem))),
  );
  expect(english.size).toBeGreaterThan(5);
  expect(
    [...english].filter(each => problem(each) === each),
    'Add them to de/violations.ts.',
  ).toEqual([]);
});

it('keeps numbers, and returns unknown messages unchanged', () => {
  expect(problem('must have at most 80 characters')).toBe('darf höchstens 80 Zeichen haben');
  expect(problem('must be between 0 and 1')).toBe('muss zwischen 0 und 1 liegen');
  expect(problem('must be prime')).toBe('must be prime');
});
