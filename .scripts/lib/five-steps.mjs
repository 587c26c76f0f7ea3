import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { runReadme } from './run-readme.mjs';
import { copyRepository, setUniqueVersion } from './workspace-copy.mjs';

const README = 'schema/README.md';

/** @returns {Promise<{ passed: number, failed: number }>} one test for each command of the README */
export async function fiveSteps() {
  const copy = mkdtempSync(join(tmpdir(), 'waypost-five-steps-'));
  try {
    copyRepository(copy);
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    setUniqueVersion(copy, 1);
    const target = process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target');
    return await runReadme(README, readFileSync(join(copy, README), 'utf8'), {
      cwd: copy,
      env: { CARGO_TARGET_DIR: target },
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
