// Starts contestants, and asks the generator of load to ask them.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, UserError } from '../../../.scripts/lib/processes.mjs';
import { PEERS, RUST } from './options.mjs';

export const BENCH = join(ROOT, 'server/bench');
export const TARGET = join(BENCH, 'target');

/** How long a server may take to say where it is, in milliseconds. */
const PATIENCE = 30_000;

/** A thousand connections need more files than some systems give unasked. */
const MORE_FILES = ['sh', '-c', 'ulimit -n 8192 2>/dev/null; exec "$@"', 'sh'];

const running = new Set();

/** Path of a program of the benchmarks, or null when it is not built. */
export function program(name) {
  const path = join(TARGET, 'release', process.platform === 'win32' ? `${name}.exe` : name);
  return existsSync(path) ? path : null;
}

/** What a program of the benchmarks prints. */
export function told(name, args) {
  // The data is some ten megabytes.
  const { status, stdout, stderr } = spawnSync(program(name), args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new UserError(`${name} ${args.join(' ')} failed:\n${stderr}`);
  return stdout;
}

/**
 * Starts contestants beside each other. Those that nobody asks rest.
 * @returns {Promise<Map<string, { name: string, url: URL, pid: number, stop: () => Promise<void> }>>}
 */
export async function startAll(names, bench) {
  const servers = new Map();
  for (const name of names) servers.set(name, await startOne(name, bench));
  return servers;
}

export async function startOne(name, { cores, folder }) {
  const data = join(folder, 'data.json');
  if (PEERS.includes(name) && !existsSync(data)) writeFileSync(data, told('bench-serve', ['data']));
  const command = RUST.includes(name)
    ? [program('bench-serve'), 'serve', name]
    : [process.execPath, join(BENCH, 'peers/serve.mjs'), name];
  const env = { NODE_ENV: 'production', BENCH_DATA: data };
  const { child, firstLine } = start(command, { core: cores.server, env, output: 'pipe' });
  const stop = ended(child);
  const url = await firstLine(PATIENCE, name);
  return { name, url: new URL(url), pid: child.pid, stop };
}

/** Starts a program that stays, on a core of its own. */
export function start(command, { core, env = {}, output: stdout = 'ignore', errors = 'inherit', cwd = ROOT }) {
  const pinned = core === null ? command : ['taskset', '--cpu-list', core, ...command];
  const [name, ...args] = process.platform === 'win32' ? pinned : [...MORE_FILES, ...pinned];
  const child = spawn(name, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', stdout, errors] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const firstLine = (patience, what) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new UserError(`${what} does not start.`)), patience);
      child.once('exit', code => reject(new UserError(`${what} ended with code ${code}: see above.`)));
      createInterface({ input: child.stdout }).once('line', line => {
        clearTimeout(late);
        resolve(line);
      });
    });
  return { child, firstLine };
}

/** Ends a program and waits until it has ended. */
export function ended(child) {
  return () =>
    new Promise(resolve => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
}

/** Ends whatever still runs. */
export function stopAll() {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * What one server makes of one request, asked again and again: the report of `bench-load`.
 * @param {{ url: URL, pid: number }} server
 * @param {{ body: string, headers?: string[], seconds: number, warm: number, connections: number }} asked `body` is a file
 */
export async function load(server, { body, headers = [], seconds, warm, connections }, { cores }) {
  const args = [server.url.host, '--path', server.url.pathname, '--body', body, '--pid', String(server.pid)];
  args.push('--seconds', String(seconds), '--warm', String(warm), '--connections', String(connections));
  if (cores.generator !== null) args.push('--spin');
  for (const header of headers) args.push('--header', header);
  const { child, firstLine } = start([program('bench-load'), ...args], { core: cores.generator, output: 'pipe' });
  const line = await firstLine((seconds + warm) * 1_000 + 60_000, 'the generator of load');
  await ended(child)();
  const report = JSON.parse(line);
  if (report.wrong > 0)
    throw new UserError(`${report.wrong} of ${report.requests} answers of ${server.name} were wrong.`);
  return { ...report, rate: report.requests / report.seconds };
}
