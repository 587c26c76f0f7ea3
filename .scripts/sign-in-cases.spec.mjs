// Checks that the tests listed in client/e2e/SIGN-IN.md exist, and that its table of quirks is complete.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { QUIRKS } from '../client/dev/quirks.mjs';
import { ROOT } from './lib/processes.mjs';

const PAGE = 'client/e2e/SIGN-IN.md';
const ROW = /^\|[^|]*\| `([^`]+)` \|(?: `([^`]+)`)? \|$/gm;
const page = readFileSync(join(ROOT, PAGE), 'utf8');
const rows = [];
for (const [, name, file = rows.at(-1)?.file] of page.matchAll(ROW)) rows.push({ name, file });

describe('the list of sign-in tests', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('names an existing test of $file: $name', ({ name, file }) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(text.includes(name), `${file} contains no test “${name}”. Update its name or file in ${PAGE}.`).toBe(true);
  });
});

describe('the table of quirks', () => {
  const table = page.slice(page.indexOf('## Quirks'), page.indexOf('## Tokens'));
  const listed = [...table.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, name, values]) => [name, values.split(', ')]);
  const endpoints = QUIRKS.hangs.slice(1, -1);

  it.each(Object.entries(QUIRKS))('lists the values of %s', (name, values) => {
    const isByEndpoint = values.includes(endpoints[0]);
    const expected = values.filter(value => !isByEndpoint || !endpoints.includes(value)).map(value => `\`${value}\``);
    if (isByEndpoint) expected.splice(1, 0, 'an endpoint');
    expect(Object.fromEntries(listed)[name]).toEqual(expected);
  });

  it('lists no other settings', () => {
    expect(listed.map(([name]) => name)).toEqual(Object.keys(QUIRKS));
  });
});
