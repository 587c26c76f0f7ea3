// Gets django-oauth-toolkit, the identity provider of PyPI that the browser tests sign in at, into an environment of
// Python below node_modules: the versions and digests of client/e2e/providers/toolkit/requirements.txt.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runOrFail, output, ROOT, run, UserError } from './processes.mjs';

export const TOOLKIT = join(ROOT, 'client/e2e/providers/toolkit');

const requirements = join(TOOLKIT, 'requirements.txt');

const ADVICE =
  'The browser tests sign in at django-oauth-toolkit, which needs Python 3.10 or newer with venv (Debian: apt-get install python3-venv).';

/** The Python that has it. */
export async function requireToolkit() {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(ROOT, 'node_modules/.cache/waypost', `toolkit-${digest}`);
  const python = join(folder, 'bin/python');
  if (existsSync(python)) return python;
  await requirePython();
  console.log('Installing django-oauth-toolkit');
  mkdirSync(dirname(folder), { recursive: true });
  const place = mkdtempSync(`${folder}-`);
  try {
    await runOrFail('Making an environment of Python', 'python3', ['-m', 'venv', place]);
    const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--require-hashes'];
    // Packages without a build of their own: what is compiled here would need headers that nobody has.
    const args = [...pip, '--only-binary', ':all:', '--requirement', requirements];
    await runOrFail('Installing django-oauth-toolkit', join(place, 'bin/python'), args);
    // Only its python is used, and that finds its packages beside itself, wherever it is.
    if (!existsSync(folder)) renameSync(place, folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return python;
}

async function requirePython() {
  const usable = () => output('python3', ['-c', 'import ensurepip, sys; assert sys.version_info >= (3, 10)']) !== null;
  if (usable()) return;
  if (process.getuid?.() === 0 && output('apt-get', ['--version']) !== null) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '--quiet'], { env });
    await run('apt-get', ['install', '--quiet', '--yes', '--no-install-recommends', 'python3-venv'], { env });
    if (usable()) return;
  }
  throw new UserError(ADVICE);
}
