/**
 * Starts Waypost and the identity provider for one worker of the tests, on free ports and with an empty data folder.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverEnvironment } from '../dev/environment.mjs';
import { type Ended, freePort, run, type Running, start } from './processes';

const root = join(import.meta.dirname, '../..');

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
  /** What the server has printed so far. */
  printed: () => string;
  stop: () => Promise<void>;
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
  const binary = waypostBinary();
  const data = mkdtempSync(join(tmpdir(), 'waypost-e2e-'));
  const [port, providerPort] = await Promise.all([freePort(), freePort()]);
  const origin = `http://localhost:${port}`;
  const provider = `http://localhost:${providerPort}`;
  const running: Running[] = [];
  const environment = { ...serverEnvironment({ port, providerPort, data, clientId }), ...settings };
  const stop = async () => {
    await Promise.all(running.map(child => child.stop()));
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const args = ['client/dev/identity-provider.mjs', '--tests', '--port', String(providerPort), '--origin', origin];
    args.push('--origin', elsewhere(origin));
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
    printed: () => running.at(-1)?.printed() ?? '',
    run: (args, changes = {}) => run(binary, args, { ...environment, ...changes }),
    stop,
  };
}

/** The same application on another site than the provider's: to browsers, an address of its own. */
export function elsewhere(origin: string): string {
  return origin.replace('//localhost', '//127.0.0.1');
}

/** The program under test. */
export function waypostBinary(): string {
  const binary =
    process.env['WAYPOST_BINARY'] ?? join(root, process.env['CARGO_TARGET_DIR'] ?? 'target', 'release/waypost');
  if (existsSync(binary)) return binary;
  throw new Error(`${binary} is not there. Build it with: cargo build --release --package waypost`);
}
