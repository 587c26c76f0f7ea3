import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from './build.mjs';
import { startProvider, startWaypost } from './development.mjs';
import { freePort, UserError } from './processes.mjs';
import { command, suite } from './suites.mjs';

const PUBLISHED = [
  'traitql',
  'traitql-axum',
  'traitql-schema',
  'traitql-codegen',
  'traitql-cli',
  'traitql-constraints',
];

export async function releaseSuites() {
  // Lists the files and metadata of each package without compiling it.
  const packages = PUBLISHED.flatMap(name => ['--package', name]);
  await suite('cargo package', () =>
    command('cargo', ['package', '--offline', '--allow-dirty', '--no-verify', ...packages]),
  );
  await suite('release build', async () => {
    await smokeTest(await buildServer('release'));
    return { passed: 1, failed: 0 };
  });
}

async function smokeTest(program) {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-release-'));
  const [port, providerPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const services = [];
  try {
    services.push(await startProvider({ port: providerPort, origins: [origin], folder }));
    services.push(await startWaypost({ program, port, providerPort, data: join(folder, 'data') }));
    const page = await (await fetch(origin)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    if (!script) throw new UserError('The page of the release build loads no script.');
    const asset = await fetch(`${origin}${script}`);
    if (!asset.ok) throw new UserError(`The release build does not contain ${script}.`);
    const body = JSON.stringify({ operationName: 'Missing', query: 'query Missing { __typename }' });
    const headers = { 'content-type': 'application/json', accept: '*/*' };
    const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
    const { errors } = await response.json();
    if (errors?.[0]?.extensions?.code !== 'UNKNOWN_OPERATION')
      throw new UserError('The release build must refuse operations that are not in the manifest.');
  } finally {
    for (const service of services.toReversed()) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
