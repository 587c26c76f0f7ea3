// Executes the tutorial of server/traitql/README.md and the page about subscriptions in new projects.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { runReadme } from './run-readme.mjs';
import { shareDependencies } from './shared-dependencies.mjs';

const PAGES = ['server/traitql/README.md', 'server/traitql/docs/subscriptions.md'];

/**
 * @returns {Promise<{ passed: number, failed: number }>} one test for each command, request and expected output of the
 *   pages
 */
export async function tutorial() {
  let passed = 0;
  for (const page of PAGES) passed += (await runPage(page)).passed;
  return { passed, failed: 0 };
}

async function runPage(page) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-tutorial-'));
  try {
    mkdirSync(join(folder, '.cargo'));
    writeFileSync(join(folder, '.cargo/config.toml'), cargoConfiguration());
    return await runReadme(page, readFileSync(join(ROOT, page), 'utf8'), {
      cwd: folder,
      enter: shareDependencies,
      denyWarnings: true,
      env: {
        CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'),
        // Any free port, because the README's may be in use.
        PORT: '0',
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function cargoConfiguration() {
  const command = ['run', '--quiet', '--manifest-path', join(ROOT, 'Cargo.toml'), '--bin', 'traitql', '--'];
  // Offline, because the build of the repository has downloaded all dependencies.
  return `[alias]\ntraitql = ${JSON.stringify(command)}\n\n[net]\noffline = true\n`;
}
