/** Each test that the threat model names exists in the file that it links to. */
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = 'server/docs';
const page = readFileSync(join(ROOT, FOLDER, 'threat-model.md'), 'utf8');

/** Rows of the tables of attacks, whose last column names the tests. */
const rows = page
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (?:attack|stolen|asset) /.test(line))
  .filter(line => line.split(' | ').length === 3);

const named = [...page.matchAll(/\[`([^`]+)`\]\(([^)#]+)\)/g)].map(([, test, path]) => ({ test, path }));

describe('the threat model', () => {
  it('names tests', () => {
    expect(named.length).toBeGreaterThan(50);
  });

  it.each(named)('is held by $test', ({ test, path }) => {
    const file = join(ROOT, normalize(join(FOLDER, path)));
    expect(existsSync(file), `${path} does not exist`).toBe(true);
    const source = readFileSync(file, 'utf8');
    const declarations = [`fn ${test}(`, `('${test}'`, `("${test}"`];
    expect(
      declarations.some(declaration => source.includes(declaration)),
      `${path} has no test \`${test}\`. If it was renamed, correct server/docs/threat-model.md. If it was deleted, another test has to hold the line.`,
    ).toBe(true);
  });

  it('states for each attack which test holds the line', () => {
    expect(rows.length).toBeGreaterThan(30);
    const unheld = rows.filter(row => !/\]\([^)]+\) \|$|\) \|$/.test(row) && !row.includes('fuzz targets'));
    expect(unheld).toEqual([]);
  });
});
