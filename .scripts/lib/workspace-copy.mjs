import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { output, ROOT, UserError } from './processes.mjs';

/**
 * Copies every file that git tracks, or would, as it is in the working tree.
 * @param {string} to
 */
export function copyRepository(to) {
  const files = output('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z']);
  if (files === null) throw new UserError('git cannot list the files of the repository.');
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    try {
      copyFileSync(join(ROOT, file), join(to, file));
    } catch (error) {
      // Tracked by git but deleted in the working tree.
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

/**
 * Changes the version of our crates in a copy that shares a target directory with the repository. Cargo identifies
 * workspace members by name and version, not by path, so the build of one would otherwise replace that of the other.
 * @param {string} copy
 * @param {number} patch the last part of the version: not 0, and unique for each kind of copy
 */
export function setUniqueVersion(copy, patch) {
  edit(join(copy, 'Cargo.toml'), /(?<=\[workspace\.package\]\nversion = "0\.1\.)0(?=")/, patch);
  edit(join(copy, 'Cargo.lock'), /(?<=name = "(?:waypost|traitql)[^"]*"\nversion = "0\.1\.)0(?=")/g, patch);
}

function edit(file, pattern, patch) {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(pattern, String(patch));
  if (after === before) throw new Error(`${file} does not contain the version of our crates`);
  writeFileSync(file, after);
}
