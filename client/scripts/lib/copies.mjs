// Copies of the repository that share what cargo has built of other crates.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives the crates of a copy a version of their own. Cargo tells crates in a folder apart by name and version, and not by the
 * place of the folder: otherwise what is built of the copy would stand for what is built of the repository.
 * @param {string} copy
 */
export function giveOwnVersion(copy) {
  edit(join(copy, 'Cargo.toml'), /(?<=\[workspace\.package\]\nversion = "0\.1\.)0(?=")/);
  edit(join(copy, 'Cargo.lock'), /(?<=name = "(?:waypost|traitql)[^"]*"\nversion = "0\.1\.)0(?=")/g);
}

function edit(file, patch) {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(patch, '1');
  if (after === before) throw new Error(`${file} does not say the version of our crates where it is looked for`);
  writeFileSync(file, after);
}
