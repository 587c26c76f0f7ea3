import { join } from 'node:path';
import { ACCOUNTS } from '../../client/dev/accounts.mjs';
import { serverEnvironment } from '../../client/dev/environment.mjs';
import { ROOT, startServer } from './processes.mjs';

export const DATA = join(ROOT, 'data');

export const EMPTY_DATA = join(ROOT, 'data', 'empty');

/** oidc-provider prints this on Node.js 20, although it works there. */
const IGNORED_WARNING = 'oidc-provider WARNING: Unsupported runtime';

/**
 * Starts the identity provider and waits until it is ready.
 * @param {{ port: number, origins: readonly string[], folder: string, onLine?: (line: string) => void }} options
 *   `origins` may send sign-in requests; state is kept in `folder`
 */
export function startProvider({ port, origins, folder, onLine = printLine }) {
  const args = ['client/dev/identity-provider.mjs', '--port', String(port), '--folder', folder];
  for (const origin of origins) args.push('--origin', origin);
  const url = `http://localhost:${port}/.well-known/openid-configuration`;
  return startServer(process.execPath, args, { url, name: 'The identity provider', onLine });
}

/**
 * Starts the server and waits until it is ready. Settings in the environment take precedence.
 * @param {{ program: string, port: number, providerPort: number | null, data: string, sample?: string,
 *   extra?: Record<string, string> }} options `providerPort` is null if the environment names a provider
 */
export function startWaypost({ program, port, providerPort, data, sample, extra = {} }) {
  const defaults =
    providerPort === null
      ? { PORT: String(port), WAYPOST_DATA: data }
      : serverEnvironment({ port, providerPort, data, sample });
  // The server cannot detect a terminal, because its output passes through this process.
  const env = { ...defaults, WAYPOST_LOG_FORMAT: 'text', ...extra, ...process.env };
  return startServer(program, [], { url: `http://localhost:${port}/readyz`, name: 'Waypost', env, onLine: printLine });
}

export function accountTable() {
  const width = Math.max(...ACCOUNTS.map(({ name }) => name.length));
  const rows = ACCOUNTS.map(
    ({ name, permissions }) => `  ${name.padEnd(width)}  ${name.padEnd(width)}  ${permissions}`,
  );
  return [`  ${'name'.padEnd(width)}  ${'password'.padEnd(width)}  role`, ...rows].join('\n');
}

function printLine(line) {
  if (!line.includes(IGNORED_WARNING)) console.log(line);
}
