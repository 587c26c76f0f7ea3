// Starts subjects, and runs the load generator against them.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, UserError } from '../../../../.scripts/lib/processes.mjs';
import { COMPETITORS, RUST } from './options.mjs';

export const BENCH = join(ROOT, 'server/traitql/bench');
export const TARGET = join(BENCH, 'target');

const START_TIMEOUT_MS = 30_000;

const WITH_MORE_FILES = ['sh', '-c', 'ulimit -n 8192 2>/dev/null; exec "$@"', 'sh'];

const running = new Set();

export function program(name) {
  const path = join(TARGET, 'release', process.platform === 'win32' ? `${name}.exe` : name);
  return existsSync(path) ? path : null;
}

export function outputOf(name, args) {
  // The data has about ten megabytes.
  const { status, stdout, stderr } = spawnSync(program(name), args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new UserError(`${name} ${args.join(' ')} failed:\n${stderr}`);
  return stdout;
}

/**
 * Starts several subjects at once. They are idle until they receive requests.
 * @returns {Promise<Map<string, { name: string, url: URL, pid: number, stop: () => Promise<void> }>>}
 */
export async function startAll(names, bench) {
  const servers = new Map();
  for (const name of names) servers.set(name, await startOne(name, bench));
  return servers;
}

export async function startOne(name, { cores, folder }) {
  const data = join(folder, 'data.json');
  if (COMPETITORS.includes(name) && !existsSync(data)) writeFileSync(data, outputOf('bench-serve', ['data']));
  const command = RUST.includes(name)
    ? [program('bench-serve'), 'serve', name]
    : [process.execPath, join(BENCH, 'competitors/serve.mjs'), name];
  const env = { NODE_ENV: 'production', BENCH_DATA: data };
  const { child, firstLine } = start(command, { core: cores.server, env, output: 'pipe' });
  const stop = ended(child);
  const url = await firstLine(START_TIMEOUT_MS, name);
  return { name, url: new URL(url), pid: child.pid, stop };
}

export function start(command, { core, env = {}, output: stdout = 'ignore', errors = 'inherit', cwd = ROOT }) {
  const pinned = core === null ? command : ['taskset', '--cpu-list', core, ...command];
  const [name, ...args] = process.platform === 'win32' ? pinned : [...WITH_MORE_FILES, ...pinned];
  const child = spawn(name, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', stdout, errors] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const firstLine = (timeoutMs, what) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new UserError(`${what} did not start in time.`)), timeoutMs);
      child.once('exit', code => reject(new UserError(`${what} exited with code ${code}, see above.`)));
      createInterface({ input: child.stdout }).once('line', line => {
        clearTimeout(timer);
        resolve(line);
      });
    });
  return { child, firstLine };
}

export function ended(child) {
  return () =>
    new Promise(resolve => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
}

export function stopAll() {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Runs the load generator with one request against one server and returns its report.
 * @param {{ url: URL, pid: number }} server
 * @param {{ body: string, headers?: string[], seconds: number, warm: number, connections: number }} request `body` is a file
 */
export async function load(server, { body, headers = [], seconds, warm, connections }, { cores }) {
  const args = [server.url.host, '--path', server.url.pathname, '--body', body, '--pid', String(server.pid)];
  args.push('--seconds', String(seconds), '--warm', String(warm), '--connections', String(connections));
  if (cores.generator !== null) args.push('--spin');
  for (const header of headers) args.push('--header', header);
  const { child, firstLine } = start([program('bench-load'), ...args], { core: cores.generator, output: 'pipe' });
  const line = await firstLine((seconds + warm) * 1_000 + 60_000, 'the load generator');
  await ended(child)();
  const report = JSON.parse(line);
  if (report.wrong > 0)
    throw new UserError(`${report.wrong} of ${report.requests} responses of ${server.name} were wrong.`);
  return { ...report, rate: report.requests / report.seconds };
}
