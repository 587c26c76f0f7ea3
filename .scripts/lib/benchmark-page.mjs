import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, UserError } from './processes.mjs';

const END = '<!-- The end of the tables. -->';

/**
 * Replaces the text between the marker comments of a document.
 * @param {string} page its path from the root of the repository
 * @param {string} command the command that writes the tables, as in the first marker
 * @param {string} text
 */
export function writeTables(page, command, text) {
  const begin = `<!-- The tables are written by \`${command}\`. -->`;
  const file = join(ROOT, page);
  const [before, rest] = readFileSync(file, 'utf8').split(begin);
  const after = rest?.split(END)[1];
  if (after === undefined)
    throw new UserError(`${page} does not contain the markers of the tables: the lines «${begin}» and «${END}»`);
  writeFileSync(file, `${before}${begin}\n\n${text}\n\n${END}${after}`);
  console.log(`\nSaved to ${page}`);
}
