// Follows "Add an operation in five steps" of schema/README.md to the letter, in a copy of the repository: writes and
// appends what its code blocks say, runs the commands in between. If this fails, the README no longer tells the
// truth.

import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output, ROOT, run, Sorry } from './processes.mjs';

const README = 'schema/README.md';

/** @returns {Promise<{ passed: number, failed: number }>} one test for each command of the README */
export async function fiveSteps() {
  const copy = mkdtempSync(join(tmpdir(), 'waypost-five-steps-'));
  let passed = 0;
  try {
    copyRepository(copy);
    for (const block of blocksOf(readFileSync(join(copy, README), 'utf8'))) {
      if (block.kind === 'file') write(copy, block.path, block.text, writeFileSync);
      else if (block.kind === 'append') write(copy, block.path, block.text, appendFileSync);
      else {
        for (const line of block.text.trim().split('\n')) {
          await follow(copy, line);
          passed += 1;
        }
      }
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  if (passed === 0) throw new Sorry(`${README} has no block marked \`sh run\`: there was nothing to follow.`);
  return { passed, failed: 0 };
}

/** The code blocks whose first line says what to do with them: `append=PATH`, `file=PATH` or `run`. */
function blocksOf(markdown) {
  return [...markdown.matchAll(/^```\w+ (?:(append|file)=(\S+)|(run))\n([\s\S]*?)^```$/gm)].map(
    ([, kind, path, , text]) => ({
      kind: kind ?? 'run',
      path,
      text,
    }),
  );
}

function copyRepository(to) {
  const files = output('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z']);
  if (files === null)
    throw new Sorry('The five steps are followed in a copy of the repository, which git lists. git failed.');
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

function write(copy, path, text, how) {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  how(file, text);
}

async function follow(copy, line) {
  const [program, ...args] = line.split(' ');
  const target = process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target');
  const { code } = await run(program, args, { cwd: copy, env: { CARGO_TARGET_DIR: target } });
  if (code !== 0) throw new Sorry(`${README} says to run \`${line}\`, and it failed: see above.`);
}
