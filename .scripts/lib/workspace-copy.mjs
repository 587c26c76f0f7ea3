// Copies of the repository that share what cargo has built of other crates.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives the crates of a copy a version of their own. Cargo tells crates in a folder apart by name and version, and not by the
 * place of the folder: otherwise what is built of the copy would stand for what is built of the repository, or of another copy.
 * @param {string} copy
 * @param {number} patch the last part of the version: not 0, and another one for each kind of copy
 */
export function giveOwnVersion(copy, patch) {
  edit(join(copy, 'Cargo.toml'), /(?<=\[workspace\.package\]\nversion = "0\.1\.)0(?=")/, patch);
  edit(join(copy, 'Cargo.lock'), /(?<=name = "(?:waypost|traitql)[^"]*"\nversion = "0\.1\.)0(?=")/g, patch);
}

function edit(file, place, patch) {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(place, String(patch));
  if (after === before) throw new Error(`${file} does not say the version of our crates where it is looked for`);
  writeFileSync(file, after);
}
