// Follows the tutorial of server/traitql/README.md to the letter, in a fresh folder: makes a project from a schema, asks
// its server, writes resolvers. Then the page about subscriptions, in the same way. Each project uses the runtime of this
// repository, and shares what is built with it.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { follow } from './run-readme.mjs';

const PAGES = ['server/traitql/README.md', 'server/traitql/docs/subscriptions.md'];

/** @returns {Promise<{ passed: number, failed: number }>} one test for each command, question and promise of the pages */
export async function tutorial() {
  let passed = 0;
  for (const page of PAGES) passed += (await followed(page)).passed;
  return { passed, failed: 0 };
}

async function followed(page) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-tutorial-'));
  try {
    mkdirSync(join(folder, '.cargo'));
    writeFileSync(join(folder, '.cargo/config.toml'), cargoConfiguration());
    return await follow(page, readFileSync(join(ROOT, page), 'utf8'), {
      cwd: folder,
      calm: true,
      env: {
        CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'),
        TRAITQL_RUNTIME: join(ROOT, 'server/traitql'),
        // Any free port: others may use the one of the README.
        PORT: '0',
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `cargo traitql` without installing it, and the profile of this repository, so that dependencies are not built anew. */
function cargoConfiguration() {
  const manifest = readFileSync(join(ROOT, 'Cargo.toml'), 'utf8');
  const profile = /^\[profile\.dev\][\s\S]*?(?=^\[profile\.release\])/m.exec(manifest)?.[0] ?? '';
  const words = ['run', '--quiet', '--manifest-path', join(ROOT, 'Cargo.toml'), '--bin', 'traitql', '--'];
  // What the repository was built with is there; nothing else is fetched.
  return `[alias]\ntraitql = ${JSON.stringify(words)}\n\n[net]\noffline = true\n\n${profile}`;
}
