import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Violation } from '../../../generated/traitql';
import { problem } from './violations';

interface About {
  readonly examples: readonly { readonly violations: readonly Violation[] }[];
}

it('translates every violation in the table of examples', () => {
  const file = join(import.meta.dirname, '../../../../../server/traitql/golden-tests/tests/examples.json');
  const tables = JSON.parse(readFileSync(file, 'utf8')) as readonly About[];
  const found = new Map(
    tables.flatMap(table => table.examples.flatMap(each => each.violations.map(one => [one.problem, one]))),
  );
  expect(found.size).toBeGreaterThan(5);
  const german = [...found.values()].map(problem);
  expect(german.filter(text => found.has(text) || /undefined|null sein: /.test(text))).toEqual([]);
  expect(new Set(german).size).toBeGreaterThan(found.size - 3);
});

it('contains the parameters', () => {
  const violation = (rule: string, params: object) => problem({ path: 'x', problem: 'English', rule, params });
  expect(violation('length', { max: 80 })).toBe('darf höchstens 80 Zeichen haben');
  expect(violation('range', { min: 0, max: 1 })).toBe('muss zwischen 0 und 1 liegen');
  expect(violation('count', { max: 1 })).toBe('darf höchstens 1 Eintrag haben');
  expect(violation('type', { expected: 'KNOWN_FIELD', field: 'x' })).toBe('darf das Feld `x` nicht haben');
});

it('keeps the message of a newer server', () => {
  const violation = (rule: string, params: object) => problem({ path: 'x', problem: 'must be prime', rule, params });
  expect(violation('prime', {})).toBe('must be prime');
  expect(violation('format', { format: 'PRIME' })).toBe('must be prime');
  expect(violation('type', { expected: 'PRIME' })).toBe('must be prime');
});
