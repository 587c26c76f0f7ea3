// The work of `npm start`, once Node.js is known to be new enough.

import { join } from 'node:path';
import { ACCOUNTS } from '../../dev/accounts.mjs';
import { buildClient, buildServer, generate, installPackages, step } from './build.mjs';
import { giveUp } from './processes.mjs';
import { requireRust } from './requirements.mjs';
import { dataFolder, requireFreePort, startProvider, startServer, stop } from './services.mjs';

const port = Number(process.env['PORT'] ?? 4000);
const providerPort = Number(process.env['WAYPOST_PROVIDER_PORT'] ?? port + 1);
/** Somebody who names a provider does not need ours. */
const ownProvider = process.env['WAYPOST_OIDC_ISSUER'] !== undefined;
const running = [];
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void leave(0));

try {
  requireRust('npm start');
  await requireFreePort(port, 'Waypost', 'PORT');
  if (!ownProvider) await requireFreePort(providerPort, 'the identity provider', 'WAYPOST_PROVIDER_PORT');
  await installPackages();
  await generate();
  await buildClient();
  const program = await buildServer('release');
  step('Starting');
  if (!ownProvider) {
    const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
    running.push(await startProvider({ port: providerPort, origins, folder: join(dataFolder, 'identity-provider') }));
  }
  running.push(await startServer({ program, port, providerPort: ownProvider ? null : providerPort, data: dataFolder }));
  sayWhere();
} catch (error) {
  await stop(running);
  if (!stopping) giveUp(error);
}

for (const child of running) {
  child.once('exit', code => {
    if (!stopping) console.error(`\nA part of Waypost ended by itself (code ${code}): see above. Stopping the rest.`);
    void leave(1);
  });
}

async function leave(code) {
  if (stopping) return;
  stopping = true;
  await stop(running.toReversed());
  process.exit(code);
}

function sayWhere() {
  console.log(`\nWaypost is ready: http://localhost:${port}\n`);
  if (!ownProvider) {
    console.log('Sign in with one of these accounts:\n');
    const width = Math.max(...ACCOUNTS.map(({ name }) => name.length));
    console.log(`  ${'name'.padEnd(width)}  ${'password'.padEnd(width)}  what it may do`);
    for (const { name, may } of ACCOUNTS) console.log(`  ${name.padEnd(width)}  ${name.padEnd(width)}  ${may}`);
  }
  console.log(`\nEverything is kept in ${process.env['WAYPOST_DATA'] ?? dataFolder}. Ctrl-C stops.\n`);
}
