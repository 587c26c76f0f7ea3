// Runs a script in namespaces of Linux: it has a loopback interface only, and its changes to files in a few folders are
// not those of the machine. So servers can be tested with the ports, host names and configuration files that they have
// in an installation.

import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run, UserError } from './processes.mjs';
import { reportFailure } from './suites.mjs';

const UNSHARE = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Folders with the settings and the data of services. */
const PRIVATE_FOLDERS = ['/etc', '/run', '/var/lib', '/var/log'];

/** Returns the reason why this machine does not permit namespaces, or null. */
export function namespaceProblem() {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  const { status, stderr } = spawnSync('unshare', [...UNSHARE, 'true'], { encoding: 'utf8' });
  return status === 0 ? null : `it needs namespaces (${stderr?.trim() || 'unshare is missing'})`;
}

/**
 * Runs a script of this repository, which calls `enterNamespace` first.
 * @param {string} script
 * @param {readonly string[]} [args]
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runInNamespace(script, args = [], options) {
  // The shell is the first process of the namespace, because Node.js does not collect the processes of killed services.
  const shell = ['sh', '-c', '"$@"; exit $?', 'sh'];
  return run('unshare', [...UNSHARE, ...shell, process.execPath, script, ...args], options);
}

/**
 * Runs a script in namespaces as a suite, and counts the tests that its last line reports.
 * @param {string} script
 * @param {readonly string[]} args
 * @returns {Promise<import('./suites.mjs').Count>}
 */
export async function suiteInNamespace(script, args) {
  const { output } = await runInNamespace(script, args, { output: 'collect' });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (failed !== '0') reportFailure(output);
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
}

/**
 * @param {{ hosts?: Record<string, string>, files?: Record<string, string> }} options `hosts` are addresses by name, and
 *   `files` the files to copy, by their paths in the namespace
 */
export function enterNamespace({ hosts = {}, files = {} }) {
  must('ip', 'link', 'set', 'lo', 'up');
  const memory = mkdtempSync(join(tmpdir(), 'waypost-namespace-'));
  must('mount', '-t', 'tmpfs', 'tmpfs', memory);
  for (const folder of PRIVATE_FOLDERS) {
    const [upper, work] = ['upper', 'work'].map(name => join(memory, name, folder));
    for (const each of [upper, work]) mkdirSync(each, { recursive: true });
    must('mount', '-t', 'overlay', 'overlay', '-o', `lowerdir=${folder},upperdir=${upper},workdir=${work}`, folder);
  }
  const lines = Object.entries(hosts).map(([name, address]) => `${address} ${name}\n`);
  appendFileSync('/etc/hosts', `\n127.0.0.1 localhost\n${lines.join('')}`);
  for (const [to, from] of Object.entries(files)) {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
    chmodSync(to, from.endsWith('.sh') ? 0o755 : 0o644);
  }
}

function must(program, ...args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new UserError(`${program} ${args.join(' ')} failed: ${stderr || error?.message}`);
}
