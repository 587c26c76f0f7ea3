import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runOrFail, output, ROOT, run, UserError } from './processes.mjs';

/**
 * Installs packages if this process runs as root on Debian. Otherwise it does nothing, so the caller must check.
 * @param {readonly string[]} packages
 */
export async function installDebianPackages(packages) {
  if (process.getuid?.() !== 0 || output('apt-get', ['--version']) === null) return;
  console.log(`Installing Debian’s packages ${packages.join(', ')}`);
  await updatePackageList();
  // Tests start their own servers. Those of the packages would occupy ports of this machine.
  const isOurs = !existsSync(SERVICE_POLICY);
  if (isOurs) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await run('apt-get', ['install', '--quiet', '--yes', '--no-install-recommends', ...packages], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  } finally {
    if (isOurs) rmSync(SERVICE_POLICY);
  }
}

/** Packages run it before they start a service, which 101 forbids. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

/**
 * Installs the packages of programs that are missing, and throws a `UserError` if that is not possible.
 * @param {Record<string, string>} packages Debian’s packages by program
 */
export async function requirePrograms(packages) {
  const missing = () => Object.entries(packages).filter(([program]) => output('which', [program]) === null);
  const names = () => missing().map(([, name]) => name);
  if (names().length > 0) await installDebianPackages(names());
  if (names().length > 0) throw new UserError(`Install Debian’s packages ${names().join(', ')}.`);
}

/** @type {Promise<unknown> | undefined} */
let updated;

/** Downloads the package list, once per process. */
const updatePackageList = () => (updated ??= run('apt-get', ['update', '--quiet']));

/**
 * Unpacks a package and its dependencies that are not installed. Returns the folder, which replaces `/` in the paths of
 * the files. It requires no root, starts no service, and does not change the system.
 * @param {string} name
 * @param {{ advice: string, excluded?: RegExp }} options `advice` is the message of the error if the package is not
 *   available; `excluded` matches dependencies that are only required to set up a service
 */
export async function unpackPackage(name, { advice, excluded = /^$/ }) {
  const folder = join(ROOT, 'node_modules/.cache/waypost', name);
  if (existsSync(folder)) return folder;
  const missing = () => packagesToInstall(name, excluded);
  const packages = await missingPackages(missing, advice);
  console.log(`Unpacking Debian’s package ${name}`);
  mkdirSync(dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}-`);
  const downloads = join(temporary, 'packages');
  const files = join(temporary, 'files');
  mkdirSync(downloads);
  try {
    await download(name, packages, missing, downloads);
    for (const file of readdirSync(downloads)) {
      await runOrFail(`Unpacking ${name}`, 'dpkg-deb', ['--extract', join(downloads, file), files]);
    }
    // Several workers may unpack the package at the same time; the first one wins.
    if (!existsSync(folder)) renameSync(files, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

export function libraryFolders(root) {
  const parent = join(root, 'usr/lib');
  return readdirSync(parent)
    .filter(name => name.endsWith('-linux-gnu'))
    .map(name => join(parent, name));
}

async function download(name, packages, missing, cwd) {
  const { code } = await run('apt-get', ['download', '--quiet', ...packages], { cwd });
  if (code === 0) return;
  // An old package list contains versions that are no longer available.
  if (process.getuid?.() === 0) await updatePackageList();
  await runOrFail(`Downloading ${name}`, 'apt-get', ['download', '--quiet', ...(missing() ?? packages)], { cwd });
}

async function missingPackages(missing, advice) {
  if (output('apt-get', ['--version']) === null || output('dpkg-deb', ['--version']) === null)
    throw new UserError(advice);
  const known = missing();
  if (known) return known;
  if (process.getuid?.() !== 0)
    throw new UserError(`${advice} The package list is missing: run apt-get update as root.`);
  await updatePackageList();
  const found = missing();
  if (found) return found;
  throw new UserError(advice);
}

/** Returns null if apt knows no package. */
function packagesToInstall(name, excluded) {
  const plan = output('apt-get', ['--simulate', 'install', '--no-install-recommends', name]);
  const lines = [...(plan ?? '').matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+)/gm)];
  return lines.length === 0
    ? null
    : lines.filter(([, each]) => !excluded.test(each)).map(([, each, version]) => `${each}=${version}`);
}
