import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runOrFail } from './processes.mjs';
import { runReadme } from './run-readme.mjs';
import { copyRepository, setUniqueVersion } from './workspace-copy.mjs';

const README = 'schema/README.md';

/** @returns {Promise<{ passed: number, failed: number }>} one test for each command of the README */
export async function fiveSteps() {
  const copy = mkdtempSync(join(tmpdir(), 'waypost-five-steps-'));
  try {
    copyRepository(copy);
    // The state that `npm start` leaves: the later steps install what they need.
    const install = ['ci', '--omit=dev', '--prefer-offline', '--loglevel=error'];
    await runOrFail('Installing packages', 'npm', install, { cwd: copy, output: 'collect' });
    setUniqueVersion(copy, 1);
    useBuiltGenerator(copy);
    const target = process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target');
    return await runReadme(README, readFileSync(join(copy, README), 'utf8'), {
      cwd: copy,
      env: { CARGO_TARGET_DIR: target },
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The generator does not depend on the steps, so the one that the repository has built works for the copy too. */
function useBuiltGenerator(copy) {
  const path = join(copy, '.cargo/config.toml');
  const alias = '"run --quiet --bin traitql --"';
  const built = ['run', '--quiet', '--manifest-path', join(ROOT, 'Cargo.toml'), '--bin', 'traitql', '--'];
  const text = readFileSync(path, 'utf8');
  if (!text.includes(alias)) throw new Error(`${path} has no alias ${alias}`);
  writeFileSync(path, text.replace(alias, JSON.stringify(built)));
}
