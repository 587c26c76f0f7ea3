import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, UserError } from '../../../.scripts/lib/processes.mjs';
import { serverEnvironment } from '../../../client/dev/environment.mjs';
import { ended, load, start } from '../../traitql/bench/run/servers.mjs';
import { formatInteger, formatNumber, median, table } from '../../traitql/bench/run/tables.mjs';
import { accessToken } from './access-token.mjs';
import { request } from './requests.mjs';

/** Number of tours on the first page of the list. */
export const TOURS = 20;
const START_TIMEOUT_MS = 60_000;

export async function measureScreens(program, bench) {
  const data = join(bench.folder, 'waypost');
  mkdirSync(data);
  const [port, providerPort] = await Promise.all([freePort(), freePort()]);
  const [origin, provider] = [`http://127.0.0.1:${port}`, `http://localhost:${providerPort}`];
  const environment = serverEnvironment({ port, providerPort, data });
  const stops = [];
  try {
    const args = ['client/dev/identity-provider.mjs', '--port', String(providerPort), '--origin', origin];
    const identity = start([process.execPath, ...args], { core: bench.cores.generator, errors: 'ignore' });
    stops.push(ended(identity.child));
    await ready(`${provider}/.well-known/openid-configuration`);
    // The access log is enabled, as in production.
    const log = openSync(join(bench.folder, 'waypost.log'), 'w');
    const server = start([program], { core: bench.cores.server, env: environment, errors: log });
    stops.push(ended(server.child));
    await ready(`${origin}/readyz`);
    const signIn = () => accessToken({ provider, origin, name: 'author' });
    const workspace = await createTours(`${origin}/graphql`, await signIn());
    const target = { url: new URL(`${origin}/graphql`), pid: server.child.pid, name: 'waypost' };
    return await screens(target, { workspace, signIn }, bench);
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function screens(server, { workspace, signIn }, bench) {
  const requests = {
    'the list of tours': request('Tours', { workspaceId: workspace.id, first: TOURS }),
    'the home of a workspace': request('WorkspaceHome', { slug: workspace.slug }),
    'who is signed in': request('Viewer', {}),
  };
  const found = new Map();
  for (let round = 0; round < bench.rounds; round += 1) {
    // Tokens expire after five minutes, so each round uses a new one.
    const headers = [`authorization: Bearer ${await signIn()}`];
    for (const [name, text] of Object.entries(requests)) {
      const body = join(bench.folder, 'waypost.json');
      writeFileSync(body, text);
      const { seconds, warm, connections } = bench;
      const report = await load(server, { body, headers, seconds, warm, connections }, bench);
      found.set(name, [...(found.get(name) ?? []), report]);
    }
  }
  const rows = [...found].map(([name, rounds]) => {
    const of = key => median(rounds.map(round => round[key]));
    return [
      name,
      formatInteger(of('bytes')),
      formatInteger(of('rate')),
      formatInteger(of('p50_us')),
      formatInteger(of('p99_us')),
      formatNumber(of('cpu_us')),
    ];
  });
  const head = ['', 'bytes', 'requests/s', 'p50 µs', 'p99 µs', 'CPU µs'];
  return table([head, ...rows]);
}

async function createTours(url, token) {
  const execute = async (operation, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: request(operation, variables),
    });
    const answer = await response.json();
    if (answer.errors)
      throw new UserError(`Waypost returned errors for ${operation}: ${JSON.stringify(answer.errors)}`);
    return answer.data;
  };
  const { viewer } = await execute('Viewer', {});
  const workspace = viewer.memberships[0]?.workspace;
  if (workspace === undefined) throw new UserError('The benchmark account is not a member of any workspace.');
  for (let at = 0; at < TOURS; at += 1) {
    await execute('TourCreate', {
      input: { workspaceId: workspace.id, title: `A tour of the screen number ${at}`, slug: `bench-${at}` },
    });
  }
  return workspace;
}

async function ready(url) {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await sleep(50)) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (answer?.ok) return;
  }
  throw new UserError(`${url} did not respond within ${START_TIMEOUT_MS / 1_000} seconds.`);
}
