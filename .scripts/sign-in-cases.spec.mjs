// Checks that the tests listed in client/e2e/SIGN-IN.md exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './lib/processes.mjs';

const PAGE = 'client/e2e/SIGN-IN.md';
const ROW = /^\|[^|]*\| `([^`]+)` \| `([^`]+)` \|$/gm;
const rows = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(ROW)].map(([, name, file]) => ({ name, file }));

describe('the list of sign-in tests', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('names an existing test of $file: $name', ({ name, file }) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(text.includes(name), `${file} contains no test “${name}”. Update its name or file in ${PAGE}.`).toBe(true);
  });
});
