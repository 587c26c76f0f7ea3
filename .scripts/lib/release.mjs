import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from './build.mjs';
import { requireCluster } from './cluster.mjs';
import { requirePrograms } from './debian.mjs';
import { startProvider, startWaypost } from './development.mjs';
import { namespaceProblem, suiteInNamespace } from './namespace.mjs';
import { freePort, UserError } from './processes.mjs';
import { command, skip, suite } from './suites.mjs';

export async function releaseSuites() {
  // These modules import npm packages.
  const { CRATES } = await import('./packaging/versions.mjs');
  // Lists the files and metadata of each package without compiling it.
  const packages = CRATES.flatMap(name => ['--package', name]);
  await suite('cargo package', () =>
    command('cargo', ['package', '--offline', '--allow-dirty', '--no-verify', ...packages]),
  );
  let program = '';
  await suite('release build', async () => {
    program = await buildServer('release');
    await smokeTest(program);
    return { passed: 1, failed: 0 };
  });
  const { lintPackaging } = await import('./packaging/lint-suite.mjs');
  const { packagingSuites } = await import('./packaging/suites.mjs');
  const { testUpdates } = await import('./update.mjs');
  await suite('packaging lints', lintPackaging);
  if (program === '') return;
  await packagingSuites(program);
  await suite('updates on SQLite', () => testUpdates(program));
  await suite('proxies', () => withNamespaces(requireProxies, PROXIES, [program]));
  await suite('high availability', () =>
    withNamespaces(requireCluster, HIGH_AVAILABILITY, ['--program', program, '--short']),
  );
}

const PROXIES = '.scripts/lib/proxies.mjs';
const HIGH_AVAILABILITY = '.scripts/lib/high-availability.mjs';

const requireProxies = () =>
  requirePrograms({ caddy: 'caddy', nginx: 'nginx-light', haproxy: 'haproxy', ip: 'iproute2', openssl: 'openssl' });

async function withNamespaces(requirePackages, script, args) {
  const problem = namespaceProblem();
  if (problem !== null) return skip(problem);
  await requirePackages();
  return suiteInNamespace(script, args);
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
