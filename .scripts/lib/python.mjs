// Installs pinned Python packages into an environment of this checkout.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installDebianPackages } from './debian.mjs';
import { output, ROOT, runOrFail, UserError } from './processes.mjs';

/**
 * Installs packages into a virtual environment below node_modules, in the versions of a requirements.txt, and returns the
 * folder of its programs.
 * @param {{ name: string, requirements: string, purpose: string }} options `purpose` begins the message of the error if
 *   Python is missing
 */
export async function pythonEnvironment({ name, requirements, purpose }) {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(ROOT, 'node_modules/.cache/waypost', `${name}-${digest}`);
  const programs = join(folder, 'bin');
  if (existsSync(programs)) return programs;
  await requirePython(purpose);
  console.log(`Installing ${name}`);
  mkdirSync(dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}-`);
  try {
    await runOrFail('Creating a virtual environment', 'python3', ['-m', 'venv', temporary]);
    const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--require-hashes'];
    // Binary packages only, because building one would require header files that are usually missing.
    const args = [...pip, '--only-binary', ':all:', '--requirement', requirements];
    await runOrFail(`Installing ${name}`, join(temporary, 'bin/python'), args);
    // Moving the environment is safe, because its Python finds packages relative to its own path. Another worker may
    // have installed it at the same time.
    if (!existsSync(folder)) renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return programs;
}

async function requirePython(purpose) {
  const usable = () => output('python3', ['-c', 'import ensurepip, sys; assert sys.version_info >= (3, 10)']) !== null;
  if (usable()) return;
  await installDebianPackages(['python3-venv']);
  if (!usable())
    throw new UserError(
      `${purpose}, which requires Python 3.10 or newer with venv (Debian: apt-get install python3-venv).`,
    );
}
