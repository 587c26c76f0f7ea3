import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildClient, buildServer, generate, installPackages } from './build.mjs';
import { accountTable, DATA, startProvider, startWaypost } from './development.mjs';
import { readOptions } from './options.mjs';
import {
  isStopping,
  readPort,
  requireFreePort,
  ROOT,
  startService,
  stopAndExit,
  stopOnSignals,
  UserError,
} from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const command = 'npm run dev';
const CLIENT_PORT = 5173;

/** Editors save several files at once; changes within this time cause one build. */
const DEBOUNCE_MS = 150;

readOptions(
  command,
  `npm run dev

Starts Waypost for development: changes reload the client, and rebuild and restart the server.

  --help   Prints this help

PORT and WAYPOST_* settings in the environment take precedence.`,
);
let port;
let providerPort;
let server = null;
stopOnSignals();

try {
  port = readPort('PORT', 4000);
  providerPort = readPort('WAYPOST_PROVIDER_PORT', port + 1);
  await requireCompilers(command);
  await requireFreePort(port, 'Waypost', { variable: 'PORT', command });
  await requireFreePort(providerPort, 'the identity provider', { variable: 'WAYPOST_PROVIDER_PORT', command });
  await requireFreePort(CLIENT_PORT, 'Vite');
  await installPackages();
  await generate();
  // The server requires a client build, although browsers use Vite's.
  await buildClient();
  const origins = [CLIENT_PORT, port].flatMap(number => [`http://localhost:${number}`, `http://127.0.0.1:${number}`]);
  await startProvider({ port: providerPort, origins, folder: join(DATA, 'identity-provider') });
  await restart();
  const onLine = line => console.log(line);
  startService('cargo', ['traitql', 'watch'], { onLine });
  const vite = ['node_modules/vite/bin/vite.js', 'client', '--config', 'client/vite.config.ts', '--host', 'localhost'];
  startService(process.execPath, vite, { env: { WAYPOST_DEV_SERVER: `http://localhost:${port}` }, onLine });
  console.log(
    `\nWaypost in development: http://localhost:${CLIENT_PORT}\n\n${accountTable()}\n\nPress Ctrl-C to stop.\n`,
  );
} catch (error) {
  await stopAndExit(error);
}

let timer;
watch(join(ROOT, 'server'), { recursive: true }, (_, name) => {
  if (!name || !/\.(rs|toml|sql|graphql|json)$/.test(name)) return;
  clearTimeout(timer);
  timer = setTimeout(() => void rebuild(), DEBOUNCE_MS);
});

let building = false;
let changedWhileBuilding = false;
async function rebuild() {
  if (building) {
    changedWhileBuilding = true;
    return;
  }
  building = true;
  do {
    changedWhileBuilding = false;
    await restart().catch(error => {
      if (isStopping()) return;
      console.error(error instanceof UserError ? error.message : error);
      if (server) console.error('The last working server keeps running.');
    });
  } while (changedWhileBuilding);
  building = false;
}

async function restart() {
  const program = await buildServer('debug');
  await server?.stop();
  server = null;
  // Browsers reach the server through Vite. Developers may send any document.
  const extra = { WAYPOST_PUBLIC_URL: `http://localhost:${CLIENT_PORT}`, WAYPOST_ADHOC: '1' };
  server = await startWaypost({ program, port, providerPort, data: DATA, sample: 'history', extra });
}
