// The steps from a fresh clone to something that runs. Each does nothing when its result is newer than what it is made of.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { must, ROOT, run, Sorry } from './processes.mjs';

/** A checkout writes its files within this time, so a smaller difference says nothing about which is newer: milliseconds. */
const CHECKOUT = 30_000;

/** npm run by npm is the same npm; else the one on the path. */
const npm = process.env['npm_execpath'] ? [process.execPath, process.env['npm_execpath']] : ['npm'];

export async function installPackages() {
  const installed = newest(['node_modules/.package-lock.json']);
  if (installed >= newest(['package-lock.json'])) return;
  step('Installing the packages of the client');
  await must('Installing packages', npm[0], [...npm.slice(1), 'ci', '--no-audit', '--no-fund']);
}

/** What is generated is committed, so this only has work when somebody edited the schema or an operation. */
export async function generate() {
  const sources = newest(['schema', 'operations', 'codegen.yml', 'client/codegen'], path => !path.includes('generated'));
  const results = oldest(['operations/generated', 'client/src/generated', 'server/waypost-api/src/generated']);
  if (sources <= results + CHECKOUT) return;
  step('Generating code from the schema');
  await must('Generating code', npm[0], [...npm.slice(1), 'run', '--silent', 'generate']);
}

export async function buildClient() {
  const sources = newest([
    'client/src', 'client/public', 'client/embed', 'client/index.html', 'client/vite.config.ts', 'package-lock.json',
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
  if (!existsSync(program(profile))) {
    step('Building the server. The first time takes some minutes: every dependency is compiled');
  }
  const { code } = await run('cargo', ['build', '--locked', '--package', 'waypost', ...(profile === 'release' ? ['--release'] : [])]);
  if (code !== 0) throw new Sorry('Building the server failed: see above.');
  return program(profile);
}

/** Where cargo puts the server. */
export function program(profile) {
  const target = process.env['CARGO_TARGET_DIR'] ?? 'target';
  return join(target.startsWith('/') ? '' : ROOT, target, profile, process.platform === 'win32' ? 'waypost.exe' : 'waypost');
}

export function step(text) {
  console.log(`\n${text} …`);
}

/** When the newest file below `paths` was written, in milliseconds; 0 when there is none. */
export function newest(paths, wanted = () => true) {
  return Math.max(0, ...times(paths, wanted));
}

function oldest(paths) {
  const all = times(paths, () => true);
  return all.length === 0 ? 0 : Math.min(...all);
}

function times(paths, wanted) {
  return paths.flatMap(path => {
    const full = join(ROOT, path);
    if (!existsSync(full)) return [];
    const { mtimeMs } = statSync(full);
    if (!statSync(full).isDirectory()) return [mtimeMs];
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && wanted(join(entry.parentPath, entry.name)))
      .map(entry => statSync(join(entry.parentPath, entry.name)).mtimeMs);
  });
}
