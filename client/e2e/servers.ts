/**
 * Starts Waypost and the identity provider for one worker of the tests, on free ports and with an empty data folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverEnvironment } from '../dev/environment.mjs';

const root = join(import.meta.dirname, '../..');

/** How long a process may take to become ready, in milliseconds. */
const PATIENCE = 30_000;

export interface Waypost {
  /** Where the application is, without a closing slash. */
  origin: string;
  /** Where the identity provider is. */
  provider: string;
  /** Changes the identity provider while it runs: lives, roles, keys, outages (client/dev/test-controls.mjs). */
  control: (changes: Record<string, unknown>) => Promise<void>;
  /** The requests that the identity provider has answered, oldest first. */
  requests: () => Promise<ProviderRequest[]>;
  /** Runs a command of the binary with the server's settings, some of them changed. */
  run: (args: readonly string[], changes?: Readonly<Record<string, string>>) => Promise<Ended>;
  stop: () => Promise<void>;
}

/** How a command ended. */
export interface Ended {
  code: number | null;
  printed: string;
}

export interface ProviderRequest {
  method: string;
  path: string;
  prompt: string | null;
  /** Whether a frame asked. */
  frame: boolean;
  status: number | null;
}

export interface Options {
  clientId: string;
  /** Offers a second identity provider, with this name. */
  otherProvider: string | null;
  /** Further settings of the server, as environment variables. */
  settings: Readonly<Record<string, string>>;
}

export async function startWaypost({ clientId, otherProvider, settings }: Options): Promise<Waypost> {
  const binary =
    process.env['WAYPOST_BINARY'] ?? join(root, process.env['CARGO_TARGET_DIR'] ?? 'target', 'release/waypost');
  if (!existsSync(binary))
    throw new Error(`${binary} is not there. Build it with: cargo build --release --package waypost`);
  const data = mkdtempSync(join(tmpdir(), 'waypost-e2e-'));
  const [port, providerPort] = await Promise.all([freePort(), freePort()]);
  const origin = `http://localhost:${port}`;
  const provider = `http://localhost:${providerPort}`;
  const running: ChildProcess[] = [];
  const environment = { ...serverEnvironment({ port, providerPort, data, clientId }), ...settings };
  const stop = async () => {
    await Promise.all(running.map(end));
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const args = ['client/dev/identity-provider.mjs', '--tests', '--port', String(providerPort), '--origin', origin];
    running.push(await start(process.execPath, args, {}, `${provider}/.well-known/openid-configuration`));
    if (otherProvider !== null) {
      const otherPort = await freePort();
      const other = `http://localhost:${otherPort}`;
      const otherArgs = ['client/dev/identity-provider.mjs', '--port', String(otherPort), '--origin', origin];
      running.push(await start(process.execPath, otherArgs, {}, `${other}/.well-known/openid-configuration`));
      Object.assign(environment, {
        WAYPOST_OIDC_2_ISSUER: other,
        WAYPOST_OIDC_2_NAME: otherProvider,
        WAYPOST_OIDC_2_CLIENT_ID: environment['WAYPOST_OIDC_CLIENT_ID'],
        WAYPOST_OIDC_2_RESOURCE: environment['WAYPOST_OIDC_RESOURCE'],
        WAYPOST_OIDC_2_SCOPE: environment['WAYPOST_OIDC_SCOPE'],
      });
    }
    running.push(await start(binary, [], environment, `${origin}/readyz`));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origin,
    provider,
    control: async changes => {
      const answer = await fetch(`${provider}/test`, { method: 'POST', body: JSON.stringify(changes) });
      if (!answer.ok) throw new Error(`the identity provider refused ${JSON.stringify(changes)}`);
    },
    requests: async () => {
      const answer: unknown = await (await fetch(`${provider}/test`)).json();
      return (answer as { log: ProviderRequest[] }).log;
    },
    run: (args, changes = {}) => run(binary, args, { ...environment, ...changes }),
    stop,
  };
}

async function start(
  program: string,
  args: string[],
  environment: Record<string, string>,
  url: string,
): Promise<ChildProcess> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => printed.push(text.toString()));
  for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await sleep(25)) {
    if (child.exitCode !== null) break;
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return child;
  }
  await end(child);
  throw new Error(`${program} did not become ready at ${url}. It printed:\n${printed.join('')}`);
}

function run(program: string, args: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', code => resolve({ code, printed }));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(late);
}

function freePort(): Promise<number> {
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
