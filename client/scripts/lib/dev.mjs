// The work of `npm run dev`: Vite serves the client, `cargo traitql watch` regenerates on save, and the server is
// rebuilt and restarted when its sources change. While a build fails, the last good server goes on.

import { watch } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNTS } from '../../dev/accounts.mjs';
import { buildClient, buildDevServer, generate, installPackages } from './build.mjs';
import { giveUp, ROOT, Sorry } from './processes.mjs';
import { requireRust } from './requirements.mjs';
import { dataFolder, requireFreePort, service, startProvider, startServer, stop } from './services.mjs';

const CLIENT_PORT = 5173;
const port = Number(process.env['PORT'] ?? 4000);
const providerPort = Number(process.env['WAYPOST_PROVIDER_PORT'] ?? port + 1);

/** Editors save several files at once: changes within this time cause one build. Milliseconds. */
const QUIET = 150;

/** Everything but the server itself. */
const around = [];
let server = null;

try {
  requireRust('npm run dev');
  for (const [number, what] of [
    [port, 'Waypost'],
    [providerPort, 'the identity provider'],
    [CLIENT_PORT, 'Vite'],
  ]) {
    await requireFreePort(number, what, 'PORT');
  }
  await installPackages();
  await generate();
  // The server embeds the client, so there has to be one; the browser uses Vite's.
  await buildClient();
  const origins = [CLIENT_PORT, port].flatMap(number => [`http://localhost:${number}`, `http://127.0.0.1:${number}`]);
  around.push(await startProvider({ port: providerPort, origins, folder: join(dataFolder, 'identity-provider') }));
  await restart();
  around.push(service('cargo', ['traitql', 'watch'], {}));
  around.push(
    service(
      process.execPath,
      ['node_modules/vite/bin/vite.js', 'client', '--config', 'client/vite.config.ts', '--host', 'localhost'],
      {
        WAYPOST_DEV_SERVER: `http://localhost:${port}`,
      },
    ),
  );
  console.log(`\nWaypost in development: http://localhost:${CLIENT_PORT}`);
  console.log(`Accounts (the password is the name): ${ACCOUNTS.map(({ name }) => name).join(', ')}. Ctrl-C stops.\n`);
} catch (error) {
  await stop([...around, ...(server ? [server] : [])]);
  giveUp(error);
}

let timer;
watch(join(ROOT, 'server'), { recursive: true }, (_, name) => {
  if (!name || !/\.(rs|toml|sql|graphql|json)$/.test(name)) return;
  clearTimeout(timer);
  timer = setTimeout(() => void rebuild(), QUIET);
});

let building = false;
let again = false;
async function rebuild() {
  if (building) {
    again = true;
    return;
  }
  building = true;
  do {
    again = false;
    await restart().catch(error => {
      console.error(error instanceof Sorry ? error.message : error);
      if (server) console.error('The last good server goes on.');
    });
  } while (again);
  building = false;
}

async function restart() {
  const [program, ...args] = await buildDevServer();
  if (server) await stop([server]);
  server = null;
  // People reach it through Vite, and may try any document.
  const extra = { WAYPOST_PUBLIC_URL: `http://localhost:${CLIENT_PORT}`, WAYPOST_ADHOC: '1' };
  server = await startServer({ program, args, port, providerPort, data: dataFolder, extra });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    await stop([...around, ...(server ? [server] : [])]);
    process.exit(0);
  });
}
