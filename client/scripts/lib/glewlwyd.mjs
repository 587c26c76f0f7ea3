// Finds glewlwyd, the identity provider of Debian that the browser tests sign in at. Its package is unpacked below
// node_modules and not installed: that needs no root, starts no service, and leaves nothing behind.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must, output, ROOT, run, Sorry } from './processes.mjs';

const FOLDER = join(ROOT, 'node_modules/.cache/waypost/glewlwyd');

/** What the package asks for to set itself up as a service with a database server. */
const UNNEEDED = /^(?:dbconfig|default-mysql|mariadb|mysql|libconfig-inifiles)/;

const ADVICE =
  'The browser tests sign in at glewlwyd, which Debian and Ubuntu have as a package. Run them there, or in a container of it.';

/**
 * Where glewlwyd is.
 * @returns {Promise<{ program: string, libraries: string, root: string }>} `libraries` is for LD_LIBRARY_PATH, and `root`
 *   stands for `/` in the paths of its files
 */
export async function requireGlewlwyd() {
  if (existsSync('/usr/bin/glewlwyd')) return placeIn('/');
  if (!existsSync(FOLDER)) await unpack();
  return placeIn(FOLDER);
}

function placeIn(root) {
  const below = join(root, 'usr/lib');
  const libraries = readdirSync(below).filter(name => name.endsWith('-linux-gnu'));
  return {
    root,
    program: join(root, 'usr/bin/glewlwyd'),
    libraries: libraries.map(name => join(below, name)).join(':'),
  };
}

async function unpack() {
  const packages = await missingPackages();
  console.log('Unpacking Debian’s package glewlwyd');
  mkdirSync(dirname(FOLDER), { recursive: true });
  const place = mkdtempSync(`${FOLDER}-`);
  const downloads = join(place, 'packages');
  const files = join(place, 'files');
  mkdirSync(downloads);
  try {
    await download(packages, downloads);
    for (const name of readdirSync(downloads)) {
      await must('Unpacking glewlwyd', 'dpkg-deb', ['--extract', join(downloads, name), files]);
    }
    // Whoever is first wins: several workers may need it at once.
    if (!existsSync(FOLDER)) renameSync(files, FOLDER);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function download(packages, cwd) {
  const { code } = await run('apt-get', ['download', '--quiet', ...packages], { cwd });
  if (code === 0) return;
  // A list of packages that is some weeks old names versions that are not there any more.
  if (process.getuid?.() === 0) await run('apt-get', ['update', '--quiet']);
  await must('Downloading glewlwyd', 'apt-get', ['download', '--quiet', ...(simulate() ?? packages)], { cwd });
}

/** The packages that are not installed here, as `name=version`. */
async function missingPackages() {
  if (output('apt-get', ['--version']) === null || output('dpkg-deb', ['--version']) === null) throw new Sorry(ADVICE);
  const lacking = simulate();
  if (lacking) return lacking;
  if (process.getuid?.() !== 0) throw new Sorry(`${ADVICE} Its list of packages is missing here: apt-get update.`);
  await run('apt-get', ['update', '--quiet']);
  const found = simulate();
  if (found) return found;
  throw new Sorry(ADVICE);
}

function simulate() {
  const plan = output('apt-get', ['--simulate', 'install', '--no-install-recommends', 'glewlwyd']);
  const lines = [...(plan ?? '').matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+)/gm)];
  return lines.length === 0 ? null : lines.filter(([, name]) => !UNNEEDED.test(name)).map(([, name, version]) => `${name}=${version}`);
}
