// Checks that the table of quirks in client/e2e/SIGN-IN.md is complete.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { QUIRKS } from '../client/dev/quirks.mjs';
import { ROOT } from './lib/processes.mjs';

const page = readFileSync(join(ROOT, 'client/e2e/SIGN-IN.md'), 'utf8');

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
