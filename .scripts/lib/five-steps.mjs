// Follows "Add an operation in five steps" of schema/README.md to the letter, in a copy of the repository. If this fails,
// the README no longer tells the truth.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output, ROOT, UserError } from './processes.mjs';
import { follow } from './run-readme.mjs';
import { giveOwnVersion } from './workspace-copy.mjs';

const README = 'schema/README.md';

/** @returns {Promise<{ passed: number, failed: number }>} one test for each command of the README */
export async function fiveSteps() {
  const copy = mkdtempSync(join(tmpdir(), 'waypost-five-steps-'));
  try {
    copyRepository(copy);
    giveOwnVersion(copy, 1);
    const target = process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target');
    return await follow(README, readFileSync(join(copy, README), 'utf8'), {
      cwd: copy,
      env: { CARGO_TARGET_DIR: target },
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyRepository(to) {
  const files = output('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z']);
  if (files === null)
    throw new UserError('The five steps are followed in a copy of the repository, which git lists. git failed.');
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    try {
      copyFileSync(join(ROOT, file), join(to, file));
    } catch (error) {
      // Listed by git, deleted in the working tree.
      if (error.code !== 'ENOENT') throw error;
    }
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}
