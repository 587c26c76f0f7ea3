/** The generated rules judge every example of the tables as the tables say, to which the server's checks are held too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as sampleFields from '../../../../server/traitql-sample/typescript/fields';
import * as fields from '../../generated/fields';
import { checkArguments, type FieldFacts, type Violation } from '../../generated/traitql';

interface About {
  readonly coordinate: string;
  readonly examples: readonly { readonly arguments: object; readonly violations: readonly Violation[] }[];
}

const tables: readonly [name: string, file: string, facts: Readonly<Record<string, FieldFacts>>][] = [
  ['the sample of traitql', 'traitql-sample', sampleFields],
  ['Waypost', 'waypost-api', fields],
];

describe.each(tables)('the examples of %s', (_, crate, facts) => {
  const file = join(import.meta.dirname, '../../../../server', crate, 'tests/examples.json');
  const table = JSON.parse(readFileSync(file, 'utf8')) as readonly About[];

  it.each(table)('are judged as the table says: $coordinate', ({ coordinate, examples }) => {
    const name = coordinate.replaceAll(/(?:^|\.)(\w)/g, (_whole, first: string) => first.toUpperCase());
    const args = facts[name]?.args ?? {};
    const judged = examples.map(example => {
      const given = writtenOut(example.arguments) as object;
      return { given: example.arguments, violations: inOrder(checkArguments({ args }, given)) };
    });
    expect(judged).toEqual(
      examples.map(({ arguments: given, violations }) => ({ given, violations: inOrder(violations) })),
    );
  });
});

const inOrder = (violations: readonly Violation[]): string[] =>
  violations.map(({ path, problem, rule }) => `${path}: ${problem} (${rule})`).toSorted();

/** What the table writes short: `{ "$repeat": "a", "$times": 81 }`, and the same with `$entry`. */
function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writtenOut);
  if (typeof value !== 'object' || value === null) return value;
  const entries = value as Readonly<Record<string, unknown>>;
  const times = Number(entries['$times']);
  if ('$repeat' in entries) return String(entries['$repeat']).repeat(times);
  if ('$entry' in entries) return Array.from({ length: times }, () => writtenOut(entries['$entry']));
  return Object.fromEntries(Object.entries(entries).map(([name, each]) => [name, writtenOut(each)]));
}
