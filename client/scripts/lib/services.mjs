// Starts what Waypost consists of at run time: the identity provider for development, and the server.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverEnvironment } from '../../dev/environment.mjs';
import { ROOT, Sorry } from './processes.mjs';

/** How long a service may take to become ready, in milliseconds. */
const PATIENCE = 60_000;

/** What Node.js 20 makes oidc-provider say although it works. */
const NOISE = 'oidc-provider WARNING: Unsupported runtime';

/** Ends with one sentence when a port is taken. `variable` is how to choose another one. */
export async function requireFreePort(port, what, variable) {
  const free = await new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  if (!free)
    throw new Sorry(
      `Port ${port}, for ${what}, is in use. Stop what uses it, or choose another port: ${variable}=${port + 100} npm start`,
    );
}

/** A port of this machine that nobody uses at the moment. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts the identity provider and waits until it listens. */
export async function startProvider({ port, origins, folder }) {
  const args = ['client/dev/identity-provider.mjs', '--port', String(port), '--folder', folder];
  for (const origin of origins) args.push('--origin', origin);
  const child = service(process.execPath, args, {});
  await ready(child, 'The identity provider', `http://localhost:${port}/.well-known/openid-configuration`);
  return child;
}

/**
 * Starts the server and waits until it can serve. `providerPort` is where the identity provider for development is;
 * null when the person's own settings name another one. Settings of the environment win over ours.
 */
export async function startServer({ program, args = [], port, providerPort, data, extra = {} }) {
  const ours = providerPort === null ? { PORT: String(port) } : serverEnvironment({ port, providerPort, data });
  // Its output passes through this script, so it cannot see that people read it.
  const env = { ...ours, WAYPOST_LOG_FORMAT: 'text', ...extra, ...process.env };
  const child = service(program, args, env);
  await ready(child, 'Waypost', `http://localhost:${port}/readyz`);
  return child;
}

/** Stops services, politely first, and waits for their end. */
export async function stop(children) {
  await Promise.all(
    children.map(async child => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise(resolve => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([gone, sleep(10_000, undefined, { ref: false })]);
      child.kill('SIGKILL');
    }),
  );
}

/** Starts a program that stays, and shows what it prints. */
export function service(program, args, env) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C at the terminal reaches this script only, which then stops its services in order.
    detached: process.platform !== 'win32',
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', line => {
      if (!line.includes(NOISE)) console.log(line);
    });
  }
  return child;
}

async function ready(child, name, url) {
  let failure = null;
  child.once('error', error => (failure = error.message));
  child.once('exit', code => (failure = `it ended with code ${code}`));
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(50)) {
    if (failure !== null) throw new Sorry(`${name} did not start: ${failure}. See above for the reason.`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    if (answer?.ok) return;
  }
  await stop([child]);
  throw new Sorry(`${name} did not become ready within ${PATIENCE / 1000} seconds.`);
}

export const dataFolder = join(ROOT, 'data');
