// Where benchmarks keep their tables: between two marks of a page.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, UserError } from './processes.mjs';

const END = '<!-- The end of the tables. -->';

/**
 * Writes the tables of a benchmark into its page, in the place of those of an earlier run.
 * @param {string} page its path from the root of the project
 * @param {string} command how the tables are written, as the page says it
 * @param {string} text
 */
export function save(page, command, text) {
  const begin = `<!-- The tables are written by \`${command}\`. -->`;
  const file = join(ROOT, page);
  const [before, rest] = readFileSync(file, 'utf8').split(begin);
  const after = rest?.split(END)[1];
  if (after === undefined)
    throw new UserError(`${page} has no place for the tables: the lines «${begin}» and «${END}»`);
  writeFileSync(file, `${before}${begin}\n\n${text}\n\n${END}${after}`);
  console.log(`\nSaved to ${page}`);
}
