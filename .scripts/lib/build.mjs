// Each step does nothing if its result is up to date.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram, output, ROOT, run, runOrFail, UserError } from './processes.mjs';

const GENERATOR_INPUT = ['schema', 'operations', 'codegen.yml', 'client/codegen'];

/**
 * Hash of the generator input at the last generation. Timestamps do not help: generators leave unchanged files alone.
 */
const GENERATED_STAMP = join(ROOT, 'node_modules/.waypost-generated-from');

const LOCKFILE = join(ROOT, 'package-lock.json');

const PACKAGES = join(ROOT, 'node_modules');

/** npm's list of the installed packages. */
const INSTALLED = join(PACKAGES, '.package-lock.json');

/** Within `npm run`, the same npm; otherwise the one on the PATH. */
const npm = process.env['npm_execpath'] ? [process.execPath, process.env['npm_execpath']] : ['npm'];

/**
 * There is no `--package`: it would select features of third-party crates for that package alone, and a hundred crates
 * would be compiled again.
 */
export const SERVER = ['--locked', '--bin', 'waypost'];

const RELEASE = ['--release', '--features', 'waypost/jemalloc'];

/**
 * Without `dev`, packages for tests and generation are not installed, which takes a third of the time. They are kept if
 * they were installed before.
 * @param {Parameters<typeof run>[2] & { dev?: boolean }} [options]
 */
export async function installPackages({ dev = true, ...options } = {}) {
  const hasDev = existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8').includes('"dev": true');
  const isCurrent = existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCKFILE).mtimeMs;
  if (isCurrent && (hasDev || !dev)) return;
  if (lstatSync(PACKAGES, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new UserError(
      'node_modules is a symbolic link, and its packages are not those of package-lock.json. npm would delete the packages of the other folder. Remove the link, or run `npm ci` there.',
    );
  const omit = dev || hasDev ? [] : ['--omit=dev'];
  const args = [...npm.slice(1), 'ci', ...omit, '--no-audit', '--no-fund', '--loglevel=error'];
  await runOrFail('Installing packages', npm[0], args, options);
}

/** Generated code is committed, so a fresh clone is up to date unless git reports changes. */
export function mustGenerate() {
  if (existsSync(GENERATED_STAMP)) return readFileSync(GENERATED_STAMP, 'utf8') !== generatorInputHash();
  return Boolean(output('git', ['status', '--porcelain', ...GENERATOR_INPUT])?.trim());
}

export async function generate() {
  if (mustGenerate()) {
    await runOrFail('Generating code', npm[0], [...npm.slice(1), 'run', '--silent', 'generate']);
  }
  writeFileSync(GENERATED_STAMP, generatorInputHash());
}

/** @param {Parameters<typeof run>[2]} [options] */
export async function buildClient(options) {
  const sources = [
    'client/src',
    'client/embed',
    'client/public',
    'client/build',
    'client/index.html',
    'client/vite.config.ts',
  ];
  if (newest(['client/dist/index.html']) > newest([...sources, 'package-lock.json'])) return;
  await runOrFail('Building the client', npm[0], [...npm.slice(1), 'run', '--silent', 'build:client'], options);
}

/**
 * Builds the server and returns the path of the binary. A development build reads the client from `client/dist` when it
 * runs; a release build embeds it, so the client must be built before.
 * @param {'debug' | 'release'} profile
 */
export async function buildServer(profile) {
  const { code } = await run('cargo', ['build', ...SERVER, ...(profile === 'release' ? RELEASE : [])]);
  if (code !== 0) throw new UserError('Building the server failed: see above.');
  return builtProgram('waypost', profile);
}

function generatorInputHash() {
  const sources = files(GENERATOR_INPUT).filter(file => !file.includes('/generated/'));
  const digest = createHash('sha256');
  for (const file of sources.toSorted()) digest.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file));
  return digest.digest('hex');
}

function newest(paths) {
  return Math.max(0, ...files(paths).map(file => statSync(file).mtimeMs));
}

function files(paths) {
  return paths
    .map(path => join(ROOT, path))
    .filter(path => existsSync(path))
    .flatMap(path => {
      if (!statSync(path).isDirectory()) return [path];
      return readdirSync(path, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name));
    });
}
