// The page that says which test holds which promise of the sign-in names tests that are there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './lib/processes.mjs';

const PAGE = 'client/e2e/SIGN-IN.md';
const ROW = /^\|[^|]*\| `([^`]+)` \| `([^`]+)` \|$/gm;
const rows = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(ROW)].map(([, name, file]) => ({ name, file }));

describe('the page of tests', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('names a test of $file: $name', ({ name, file }) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(
      text.includes(name),
      `${file} has no “${name}”: rename it in ${PAGE} too, or say there which test it is now`,
    ).toBe(true);
  });
});
