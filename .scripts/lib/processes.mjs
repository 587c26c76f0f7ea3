// Scripts and browser tests share this module; it imports no package, because scripts run before packages are
// installed.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const ROOT = join(import.meta.dirname, '../..');

/** A development build of the server takes several seconds on a busy machine. */
const READY_TIMEOUT_MS = 60_000;

const STOP_TIMEOUT_MS = 10_000;

const MAX_PORT = 65_535;

/** @typedef {{ code: number, output: string }} CommandResult */

export class UserError extends Error {
  name = 'UserError';
}

/**
 * Functions that stop the running commands and services.
 * @type {Set<() => Promise<void>>}
 */
const running = new Set();
let handlesSignals = false;
let stopping = false;

// rustup adds cargo to the PATH of new login shells only.
const cargoBin = join(homedir(), '.cargo/bin');
if (existsSync(cargoBin) && !(process.env['PATH'] ?? '').split(delimiter).includes(cargoBin)) {
  process.env['PATH'] = `${process.env['PATH'] ?? ''}${delimiter}${cargoBin}`;
}

/** The target directory of cargo. */
export const TARGET = resolve(ROOT, process.env['CARGO_TARGET_DIR'] ?? 'target');

/**
 * Returns the path of a program that cargo has built.
 * @param {'waypost' | 'traitql'} name
 * @param {'debug' | 'release'} [profile]
 */
export function builtProgram(name, profile = 'debug') {
  return join(TARGET, profile, process.platform === 'win32' ? `${name}.exe` : name);
}

/**
 * Runs a command until it exits.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Readonly<Record<string, string>>, output?: 'show' | 'both' | 'collect' | 'stdout' }}
 *   [options] what to do with stdout and stderr: `show` (the default), `collect` for the result, `both`, or collect
 *   `stdout` and show stderr
 * @returns {Promise<CommandResult>}
 */
export function run(program, args, { cwd = ROOT, env = {}, output = 'show' } = {}) {
  return new Promise((resolve, reject) => {
    const stdout = output === 'show' ? 'inherit' : 'pipe';
    const stderr = output === 'stdout' ? 'inherit' : stdout;
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', stdout, stderr],
      // A group, because cargo does not stop its compilers. Without stopOnSignals, the terminal stops the command.
      detached: handlesSignals && process.platform !== 'win32',
    });
    stoppable(child);
    let collected = '';
    for (const [from, to] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      from?.setEncoding('utf8').on('data', text => {
        collected += text;
        if (output === 'both') to.write(text);
      });
    }
    child.once('error', error => reject(missingProgram(program, error)));
    child.once('close', code => resolve({ code: code ?? 1, output: collected }));
  });
}

/**
 * Runs a command and throws a `UserError` if it fails. `what` names the failed action in the error.
 * @param {string} what
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export async function runOrFail(what, program, args, options) {
  const { code, output } = await run(program, args, options);
  if (code === 0) return;
  const details = options?.output === 'collect' ? `:\n${output}` : ': see above.';
  throw new UserError(`${what} failed${details} The command was: ${program} ${args.join(' ')}`);
}

/**
 * Returns the stdout of a program, or null if it is missing or fails.
 * @param {string} program
 * @param {readonly string[]} args
 */
export function output(program, args) {
  const { status, stdout } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

export function exitWithError(error) {
  console.error(error instanceof UserError ? `\n${error.message}` : error);
  process.exit(1);
}

/** Stops all commands and services, and exits, when this process receives a signal. */
export function stopOnSignals() {
  handlesSignals = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stopAndExit());
}

/**
 * Stops all commands and services, and exits. Only the first call has an effect, because the stops cause more errors.
 * @param {unknown} [error] the reason, which is printed
 */
export async function stopAndExit(error) {
  if (stopping) return;
  stopping = true;
  // The caller may start another command in the meantime.
  while (running.size > 0) await Promise.all([...running].map(stop => stop()));
  if (error !== undefined) exitWithError(error);
  process.exit(0);
}

/** True if the failure of a command or service can be a result of `stopAndExit`. */
export function isStopping() {
  return stopping;
}

/**
 * @typedef {object} Service
 * @property {import('node:child_process').ChildProcess} child
 * @property {() => Promise<void>} stop
 * @property {() => string} printed everything that it has written to stdout and stderr
 */

/**
 * Starts a program that keeps running.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Readonly<Record<string, string>>, input?: string, onLine?: (line: string) => void }} [options]
 *   `input` is written to its stdin
 * @returns {Service}
 */
export function startService(program, args, { env = {}, input = '', onLine } = {}) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C at the terminal must reach only this process, which then stops its services in order.
    detached: process.platform !== 'win32',
  });
  // A program that exits early never reads its input; its output contains the reason.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', text => {
      printed += text;
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      if (onLine) lines.forEach(onLine);
    });
  }
  child.on('error', error => (printed += error.message));
  return { child, stop: stoppable(child), printed: () => printed };
}

/** Returns a function that stops a child process, and lets `stopAndExit` call it. */
function stoppable(child) {
  const kill = signal => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has no process group.
      child.kill(signal);
    }
  };
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise(resolve => child.once('exit', resolve));
    kill('SIGTERM');
    const timer = setTimeout(() => kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  };
  if (child.pid !== undefined) running.add(stop);
  child.once('exit', () => running.delete(stop));
  return stop;
}

/**
 * Starts a service and waits until `url` responds with success. Stops the service if it does not become ready.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Parameters<typeof startService>[2] & { url: string, name?: string }} options
 */
export async function startServer(program, args, { url, name = program, ...options }) {
  const service = startService(program, args, options);
  const { child } = service;
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(25)) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) break;
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    if (response?.ok) return service;
  }
  const reason =
    child.exitCode === null ? `is not ready after ${READY_TIMEOUT_MS / 1000} s` : `exited with code ${child.exitCode}`;
  await service.stop();
  throw new UserError(`${name} ${reason} (${url}). Its output:\n${service.printed()}`);
}

/**
 * Returns a free port of the loopback interface.
 * @returns {Promise<number>}
 */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Returns the port in an environment variable, or the default. Throws a `UserError` if it is invalid.
 * @param {string} variable
 * @param {number} defaultPort
 */
export function readPort(variable, defaultPort) {
  const text = process.env[variable] ?? String(defaultPort);
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= MAX_PORT) return port;
  throw new UserError(`${variable} is \`${text}\`, but must be a number from 1 to ${MAX_PORT}.`);
}

/**
 * Throws a `UserError` if a port is in use.
 * @param {number} port
 * @param {string} service the service that needs it
 * @param {{ variable: string, command: string }} [change] the environment variable that selects another port, and the
 *   command to run again; missing if the port is fixed
 */
export async function requireFreePort(port, service, change) {
  const free = await new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  if (free) return;
  const other = port + 100 <= MAX_PORT ? port + 100 : port - 100;
  const choose = change === undefined ? '.' : `, or choose another port: ${change.variable}=${other} ${change.command}`;
  throw new UserError(`Port ${port}, for ${service}, is in use. Stop the process that uses it${choose}`);
}

function missingProgram(program, error) {
  return error.code === 'ENOENT' ? new UserError(`${program} is required but was not found.`) : error;
}
