// Executes the tutorial of server/traitql/README.md and the page about subscriptions in new projects.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run, UserError } from './processes.mjs';
import { runReadme } from './run-readme.mjs';
import { shareDependencies, shareProfiles } from './shared-dependencies.mjs';

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
  const env = {
    CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'),
    // Any free port, because the README's may be in use.
    PORT: '0',
  };
  try {
    mkdirSync(join(folder, '.cargo'));
    writeFileSync(join(folder, '.cargo/config.toml'), cargoConfiguration());
    return await runReadme(page, readFileSync(join(ROOT, page), 'utf8'), {
      cwd: folder,
      enter: async project => {
        // All new projects have the same dependencies.
        if (page === PAGES[0]) await checkAlone(project, env);
        await shareDependencies(project);
      },
      denyWarnings: true,
      env,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks that a new project declares all crates and features that it needs. */
async function checkAlone(project, env) {
  await shareProfiles(project);
  const { code } = await run('cargo', ['check'], { cwd: project, env, output: 'both' });
  if (code !== 0) throw new UserError('A new project does not compile on its own: see above.');
}

function cargoConfiguration() {
  const command = ['run', '--quiet', '--manifest-path', join(ROOT, 'Cargo.toml'), '--bin', 'traitql', '--'];
  // Offline, because the build of the repository has downloaded all dependencies.
  return `[alias]\ntraitql = ${JSON.stringify(command)}\n\n[net]\noffline = true\n`;
}
