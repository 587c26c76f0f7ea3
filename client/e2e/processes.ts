/** Child processes of the tests: servers that must become ready, and commands that run to completion. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '../..');

/** Milliseconds that a process may take to become ready. */
const START_TIMEOUT = 30_000;

/** Milliseconds between SIGTERM and SIGKILL. */
const STOP_TIMEOUT = 10_000;

export interface Running {
  stop: () => Promise<void>;
  /** Output so far. */
  printed: () => string;
}

/** Result of a command. */
export interface Ended {
  code: number | null;
  printed: string;
}

/** Starts a server and waits until `url` responds. `input` is written to its standard input. */
export async function start(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  url: string,
  input = '',
): Promise<Running> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A process that exits early closes its input. The error below includes its output.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => printed.push(text.toString()));
  child.on('error', error => printed.push(error.message));
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGTERM');
    const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
    await exited;
    clearTimeout(killTimer);
  };
  for (const deadline = Date.now() + START_TIMEOUT; Date.now() < deadline; await sleep(25)) {
    if (child.exitCode !== null || child.pid === undefined) break;
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return { stop, printed: () => printed.join('') };
  }
  await stop();
  throw new Error(`${program} did not become ready at ${url}. It printed:\n${printed.join('')}`);
}

/** Runs a command to completion. */
export function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', code => resolve({ code, printed }));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
