import { join } from 'node:path';
import { buildClient, buildServer, generate, installPackages, mustGenerate } from './build.mjs';
import { accountTable, DATA, EMPTY_DATA, startProvider, startWaypost } from './development.mjs';
import { readOptions } from './options.mjs';
import { readPort, requireFreePort, stopAndExit, stopOnSignals, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';
import { elapsed, steps } from './steps.mjs';

const hasProvider = process.env['WAYPOST_OIDC_ISSUER'] !== undefined;
const command = 'npm start';
const HELP = `npm start [-- --empty]

Builds Waypost and starts it with an identity provider for development.

  --empty  Starts without a sample workspace, in the data folder ${EMPTY_DATA} instead of ${DATA}
  --help   Prints this help

PORT and WAYPOST_* settings in the environment take precedence.`;
const options = readOptions(command, HELP, ['--empty']).includes('--empty')
  ? { data: EMPTY_DATA, sample: 'off' }
  : { data: DATA, sample: 'history' };
const services = [];
let port;
let providerPort = null;
stopOnSignals();

try {
  const started = Date.now();
  port = readPort('PORT', 4000);
  if (!hasProvider) providerPort = readPort('WAYPOST_PROVIDER_PORT', port + 1);
  await requireCompilers(command);
  await requireFreePort(port, 'Waypost', { variable: 'PORT', command });
  if (!hasProvider) {
    await requireFreePort(providerPort, 'the identity provider', { variable: 'WAYPOST_PROVIDER_PORT', command });
  }
  const outdated = mustGenerate();
  await buildAndStart(outdated, steps(outdated ? 5 : 4));
  console.log(`\nWaypost is ready after ${elapsed(started)}: http://localhost:${port}\n`);
  if (!hasProvider) console.log(`Sign in with one of these accounts:\n\n${accountTable()}\n`);
  console.log(`Data folder: ${process.env['WAYPOST_DATA'] ?? options.data}. Press Ctrl-C to stop.\n`);
} catch (error) {
  await stopAndExit(error);
}

for (const { child } of services) {
  child.once('exit', code => void stopAndExit(new UserError(`A service exited with code ${code}: see above.`)));
}

/** Dependencies compile at the same time: a development build embeds no client. */
async function buildAndStart(outdated, step) {
  const quiet = /** @type {const} */ ({ output: 'collect' });
  const client = async () => {
    await step('Installing npm packages', () => installPackages({ ...quiet, dev: outdated }));
    if (outdated) await step('Generating code from the schema', generate);
    else await generate();
    await step('Building the client', () => buildClient(quiet));
  };
  const server = () => step('Building the server', () => buildServer('debug'));
  // The server contains the generated code.
  const builds = outdated ? [client().then(server)] : [server(), client()];
  const [program] = await Promise.all(builds);
  await step('Starting', async () => {
    if (!hasProvider) {
      const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
      services.push(
        await startProvider({ port: providerPort, origins, folder: join(options.data, 'identity-provider') }),
      );
    }
    services.push(await startWaypost({ program, port, providerPort, ...options }));
  });
}
