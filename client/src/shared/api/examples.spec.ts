import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as fields from '../../../../server/traitql/golden-tests/typescript/fields';
import { checkArguments, type FieldMetadata, type Violation } from '../../generated/traitql';

interface FieldExamples {
  readonly coordinate: string;
  readonly examples: readonly { readonly arguments: object; readonly violations: readonly Violation[] }[];
}

const file = join(import.meta.dirname, '../../../../server/traitql/golden-tests/tests/examples.json');
const table = JSON.parse(readFileSync(file, 'utf8')) as readonly FieldExamples[];
const metadata: Readonly<Record<string, FieldMetadata>> = fields;

it.each(table)('the examples have the expected violations: $coordinate', ({ coordinate, examples }) => {
  const name = coordinate.replaceAll(/(?:^|\.)(\w)/g, (_whole, first: string) => first.toUpperCase());
  const args = metadata[name]?.args ?? {};
  const actual = examples.map(example => {
    const given = expand(example.arguments) as object;
    return { given: example.arguments, violations: format(checkArguments({ args }, given)) };
  });
  expect(actual).toEqual(
    examples.map(({ arguments: given, violations }) => ({ given, violations: format(violations) })),
  );
});

const format = (violations: readonly Violation[]): string[] =>
  violations
    .map(({ path, problem, rule, params }) => `${path}: ${problem} (${rule} ${JSON.stringify(params)})`)
    .toSorted();

function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== 'object' || value === null) return value;
  const entries = value as Readonly<Record<string, unknown>>;
  const times = Number(entries['$times']);
  if ('$repeat' in entries) return String(entries['$repeat']).repeat(times);
  if ('$entry' in entries) return Array.from({ length: times }, () => expand(entries['$entry']));
  return Object.fromEntries(Object.entries(entries).map(([name, each]) => [name, expand(each)]));
}
