// The steps from a fresh clone to something that runs. Each does nothing when its result is newer than what it is
// made of.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, output, ROOT, run, Sorry } from './processes.mjs';

/** What the generators read. */
const GENERATED_FROM = ['schema', 'operations', 'codegen.yml', 'client/codegen'];

/** npm run by npm is the same npm; else the one on the path. */
const npm = process.env['npm_execpath'] ? [process.execPath, process.env['npm_execpath']] : ['npm'];

export async function installPackages() {
  const installed = newest(['node_modules/.package-lock.json']);
  if (installed >= newest(['package-lock.json'])) return;
  step('Installing the packages of the client');
  await must('Installing packages', npm[0], [...npm.slice(1), 'ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/**
 * What is generated is committed, so this only has work when somebody edited the schema or an operation. Generators
 * leave a file alone whose bytes stay the same, so times say nothing; a digest of the sources at the last generation
 * does.
 */
export async function generate() {
  const sources = files(GENERATED_FROM).filter(file => !file.includes('/generated/'));
  const digest = createHash('sha256');
  for (const file of sources.toSorted()) digest.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file));
  const now = digest.digest('hex');
  const stamp = join(ROOT, 'node_modules/.waypost-generated-from');
  const before = existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
  if (before === now) return;
  // A fresh clone has no stamp, and what was committed together, unless somebody has edited it since.
  if (before !== null || output('git', ['status', '--porcelain', ...GENERATED_FROM])?.trim()) {
    step('Generating code from the schema');
    await must('Generating code', npm[0], [...npm.slice(1), 'run', '--silent', 'generate']);
  }
  writeFileSync(stamp, now);
}

export async function buildClient() {
  const sources = newest([
    'client/src',
    'client/public',
    'client/embed',
    'client/build',
    'client/index.html',
    'client/vite.config.ts',
    'package-lock.json',
  ]);
  if (newest(['client/dist/index.html']) > sources) return;
  step('Building the client');
  await must('Building the client', npm[0], [...npm.slice(1), 'run', '--silent', 'build:client']);
}

/**
 * Builds the server; cargo itself knows what is new. Answers with the path of the program.
 * @param {'release' | 'debug'} profile
 */
export async function buildServer(profile) {
  await build(profile, profile === 'release' ? [...SERVER, '--release'] : SERVER);
  return program(profile);
}

/** Builds the server as it is built quickest after a change. Answers with the command that runs it: cargo knows where its library is. */
export async function buildDevServer() {
  await build('debug', DEV_SERVER);
  return ['cargo', 'run', '--quiet', ...DEV_SERVER];
}

async function build(profile, what) {
  if (!existsSync(program(profile))) {
    step('Building the server. The first time takes some minutes: every dependency is compiled');
  }
  const { code } = await run('cargo', ['build', ...what]);
  if (code !== 0) throw new Sorry('Building the server failed: see above.');
}

/** What cargo is told of the server. */
export const SERVER = ['--locked', '--package', 'waypost'];

/** The same in development, where all that is below the application is a shared library (server/waypost-dylib). */
export const DEV_SERVER = [...SERVER, '--features', 'dynamic'];

/** Where cargo puts the server. */
export function program(profile) {
  const target = process.env['CARGO_TARGET_DIR'] ?? 'target';
  return join(
    target.startsWith('/') ? '' : ROOT,
    target,
    profile,
    process.platform === 'win32' ? 'waypost.exe' : 'waypost',
  );
}

export function step(text) {
  console.log(`\n${text} …`);
}

/** When the newest file below `paths` was written, in milliseconds; 0 when there is none. */
function newest(paths) {
  return Math.max(0, ...files(paths).map(file => statSync(file).mtimeMs));
}

/** Every file at or below `paths` of the repository that is there. */
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
