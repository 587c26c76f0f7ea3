import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  builtProgram,
  type CommandResult,
  freePort,
  run,
  type Service,
  startServer,
} from '../../.scripts/lib/processes.mjs';
import { serverEnvironment } from '../dev/environment.mjs';

export interface Waypost {
  origin: string;
  provider: string;
  /** Changes the running identity provider: token lifetimes, roles, keys, outages (client/dev/test-controls.mjs). */
  control: (changes: Record<string, unknown>) => Promise<void>;
  requests: () => Promise<ProviderRequest[]>;
  /** `changes` override the settings. */
  run: (args: readonly string[], changes?: Readonly<Record<string, string>>) => Promise<CommandResult>;
  printed: () => string;
  stop: () => Promise<void>;
}

export interface ProviderRequest {
  method: string;
  path: string;
  prompt: string | null;
  frame: boolean;
  status: number | null;
}

export interface Options {
  clientId: string;
  otherProvider: string | null;
  settings: Readonly<Record<string, string>>;
  quirks?: Readonly<Record<string, string>>;
}

export async function startWaypost({ clientId, otherProvider, settings, quirks = {} }: Options): Promise<Waypost> {
  const binary = waypostBinary();
  const data = mkdtempSync(join(tmpdir(), 'waypost-e2e-'));
  const [port, providerPort] = await Promise.all([freePort(), freePort()]);
  const origin = `http://localhost:${port}`;
  const provider = `http://localhost:${providerPort}`;
  const running: Service[] = [];
  const environment = { ...serverEnvironment({ port, providerPort, data, clientId }), ...settings };
  const stop = async () => {
    await Promise.all(running.map(child => child.stop()));
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const args = ['client/dev/identity-provider.mjs', '--tests', '--port', String(providerPort), '--origin', origin];
    args.push('--origin', crossSiteOrigin(origin));
    for (const [name, value] of Object.entries(quirks)) args.push('--quirk', `${name}=${value}`);
    if (quirks['issuer'] === 'slash') environment['WAYPOST_OIDC_ISSUER'] = `${provider}/`;
    running.push(await startServer(process.execPath, args, { url: `${provider}/.well-known/openid-configuration` }));
    if (otherProvider !== null) {
      const otherPort = await freePort();
      const other = `http://localhost:${otherPort}`;
      const otherArgs = ['client/dev/identity-provider.mjs', '--port', String(otherPort), '--origin', origin];
      running.push(
        await startServer(process.execPath, otherArgs, { url: `${other}/.well-known/openid-configuration` }),
      );
      Object.assign(environment, {
        WAYPOST_OIDC_2_ISSUER: other,
        WAYPOST_OIDC_2_NAME: otherProvider,
        WAYPOST_OIDC_2_CLIENT_ID: environment['WAYPOST_OIDC_CLIENT_ID'],
        WAYPOST_OIDC_2_RESOURCE: environment['WAYPOST_OIDC_RESOURCE'],
        WAYPOST_OIDC_2_SCOPE: environment['WAYPOST_OIDC_SCOPE'],
      });
    }
    running.push(await startServer(binary, [], { env: environment, url: `${origin}/readyz` }));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origin,
    provider,
    control: async changes => {
      const response = await fetch(`${provider}/test`, { method: 'POST', body: JSON.stringify(changes) });
      if (!response.ok) throw new Error(`The identity provider rejected ${JSON.stringify(changes)}`);
    },
    requests: async () => {
      const body: unknown = await (await fetch(`${provider}/test`)).json();
      return (body as { log: ProviderRequest[] }).log;
    },
    printed: () => running.at(-1)?.printed() ?? '',
    run: (args, changes = {}) => run(binary, args, { env: { ...environment, ...changes }, output: 'stdout' }),
    stop,
  };
}

/** Returns an origin of the same application that browsers treat as a different site from the provider. */
export function crossSiteOrigin(origin: string): string {
  return origin.replace('//localhost', '//127.0.0.1');
}

export function waypostBinary(): string {
  const binary = process.env['WAYPOST_BINARY'] ?? builtProgram('waypost');
  if (existsSync(binary)) return binary;
  throw new Error(`${binary} does not exist. Build it with: cargo build --bin waypost`);
}
