// Unpacks packages of Debian below node_modules, without installing them: that needs no root, starts no service, and leaves nothing
// behind.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runOrFail, output, ROOT, run, UserError } from './processes.mjs';

/**
 * The folder that holds a package with all that it needs and that is not installed here; it stands for `/` in their paths.
 * @param {string} name
 * @param {{ advice: string, unneeded?: RegExp }} about `advice` is for whoever cannot have it, `unneeded` tells packages that
 *   are only asked for by the set-up of a service
 */
export async function unpacked(name, { advice, unneeded = /^$/ }) {
  const folder = join(ROOT, 'node_modules/.cache/waypost', name);
  if (existsSync(folder)) return folder;
  const missing = () => simulate(name, unneeded);
  const packages = await missingPackages(missing, advice);
  console.log(`Unpacking Debian’s package ${name}`);
  mkdirSync(dirname(folder), { recursive: true });
  const place = mkdtempSync(`${folder}-`);
  const downloads = join(place, 'packages');
  const files = join(place, 'files');
  mkdirSync(downloads);
  try {
    await download(name, packages, missing, downloads);
    for (const file of readdirSync(downloads)) {
      await runOrFail(`Unpacking ${name}`, 'dpkg-deb', ['--extract', join(downloads, file), files]);
    }
    // Whoever is first wins: several workers may need it at once.
    if (!existsSync(folder)) renameSync(files, folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return folder;
}

/** The folders of libraries below a root. */
export function librariesIn(root) {
  const below = join(root, 'usr/lib');
  return readdirSync(below)
    .filter(name => name.endsWith('-linux-gnu'))
    .map(name => join(below, name));
}

async function download(name, packages, missing, cwd) {
  const { code } = await run('apt-get', ['download', '--quiet', ...packages], { cwd });
  if (code === 0) return;
  // A list of packages that is some weeks old names versions that are not there any more.
  if (process.getuid?.() === 0) await run('apt-get', ['update', '--quiet']);
  await runOrFail(`Downloading ${name}`, 'apt-get', ['download', '--quiet', ...(missing() ?? packages)], { cwd });
}

/** The packages that are not installed here, as `name=version`. */
async function missingPackages(missing, advice) {
  if (output('apt-get', ['--version']) === null || output('dpkg-deb', ['--version']) === null)
    throw new UserError(advice);
  const lacking = missing();
  if (lacking) return lacking;
  if (process.getuid?.() !== 0) throw new UserError(`${advice} Its list of packages is missing here: apt-get update.`);
  await run('apt-get', ['update', '--quiet']);
  const found = missing();
  if (found) return found;
  throw new UserError(advice);
}

function simulate(name, unneeded) {
  const plan = output('apt-get', ['--simulate', 'install', '--no-install-recommends', name]);
  const lines = [...(plan ?? '').matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+)/gm)];
  return lines.length === 0
    ? null
    : lines.filter(([, one]) => !unneeded.test(one)).map(([, one, version]) => `${one}=${version}`);
}
