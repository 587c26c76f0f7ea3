// Updates, kills and fails over two processes of Waypost behind HAProxy, and PostgreSQL with a synchronous standby, while
// members and pages use them. Runs in a namespace, see namespace.mjs.

import { readFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatNumber, table } from '../../server/traitql/bench/run/tables.mjs';
import { startIssuer } from '../../server/waypost/bench/issuer.mjs';
import { writeCertificate } from './certificate.mjs';
import { CLUSTER_FILES, CLUSTER_HOSTS, DATABASE_URL, REPLICA_URL, startCluster } from './cluster.mjs';
import { startLoad } from './load.mjs';
import { enterNamespace } from './namespace.mjs';
import { exitWithError, ROOT, run, runOrFail, startServer, startService, UserError } from './processes.mjs';

const HOST = 'tours.example.com';
const ORIGIN = `https://${HOST}`;
const PROCESSES = { waypost1: '127.0.0.21', waypost2: '127.0.0.22' };
const PROXY = ['-db', '-f', '/etc/haproxy/haproxy.cfg', '-f', '/etc/haproxy/postgresql.cfg'];

/** A database of an earlier version. */
const KEPT = join(ROOT, 'server/waypost/resolvers/tests/upgrade/fixtures/0.1.0/postgres.sql');

const { values: options } = parseArgs({
  options: { program: { type: 'string', default: '' }, short: { type: 'boolean', default: false } },
});

try {
  const ok = await main();
  process.exit(ok ? 0 : 1);
} catch (error) {
  exitWithError(error);
}

async function main() {
  enterNamespace({
    hosts: { ...CLUSTER_HOSTS, ...PROCESSES, [HOST]: '127.0.0.1' },
    files: { ...CLUSTER_FILES, '/etc/haproxy/haproxy.cfg': join(ROOT, 'server/packaging/proxies/haproxy.cfg') },
  });
  const { cert } = await writeCertificate('/etc/ssl/waypost', HOST);
  const folder = mkdtempSync(join(tmpdir(), 'waypost-cluster-'));
  await runOrFail('Opening the folder', 'chmod', ['755', folder]);
  const cluster = await startCluster(folder);
  const startProxy = () =>
    startService('haproxy', PROXY, {
      env: { WAYPOST_1: `${PROCESSES.waypost1}:4000`, WAYPOST_2: `${PROCESSES.waypost2}:4000` },
    });
  let proxy = startProxy();
  const issuer = await startIssuer();
  await untilPrimary();
  await runOrFail(
    'Restoring the database of 0.1.0',
    'psql',
    [DATABASE_URL, '-q', '-v', 'ON_ERROR_STOP=1', '-f', KEPT],
    {
      output: 'collect',
    },
  );
  const servers = {};
  const start = async name => {
    const env = {
      WAYPOST_BIND: PROCESSES[name],
      PORT: '4000',
      WAYPOST_DATABASE_URL: DATABASE_URL,
      WAYPOST_DATABASE_REPLICA_URL: REPLICA_URL,
      WAYPOST_PUBLIC_URL: ORIGIN,
      WAYPOST_TRUST_PROXY: '1',
      WAYPOST_LOG: 'warn',
      WAYPOST_OIDC_ISSUER: issuer.url,
      WAYPOST_OIDC_CLIENT_ID: 'bench',
      WAYPOST_OIDC_AUDIENCE: 'bench',
    };
    const url = `http://${name}:4000/readyz`;
    servers[name] = await startServer(options.program, ['serve'], { url, name: 'Waypost', env });
  };
  await Promise.all(Object.keys(PROCESSES).map(start));
  const load = await startLoad({ origin: ORIGIN, token: issuer.token, ca: readFileSync(cert, 'utf8') });

  const rows = [];
  const problems = [];
  const observe = async (name, fault, { mayFail = true, restore = async () => {} } = {}) => {
    const { seconds, failed, outcomes } = await load.observe(fault);
    if (!mayFail && failed > 0) problems.push(`${name}: ${failed} requests failed: ${JSON.stringify(outcomes)}`);
    const kinds = ['write', 'read', 'visit'].map(kind => formatNumber(seconds[kind]));
    rows.push([name, ...kinds, String(failed), describe(outcomes)]);
    console.log(
      `   ${name}: ${kinds.join(' / ')} s without writes, reads, visits; failed: ${describe(outcomes) || 'none'}`,
    );
    await restore();
  };

  await load.observe(() => sleep(2000));
  await observe(
    'rolling update: both processes in turn',
    async () => {
      for (const name of Object.keys(PROCESSES)) {
        await servers[name].stop();
        await start(name);
        await sleep(1000);
      }
    },
    { mayFail: false },
  );
  await observe('`kill -9` of a process', async () => {
    servers.waypost1.child.kill('SIGKILL');
    await sleep(500);
    await start('waypost1');
  });
  await observe('`kill -9` of HAProxy, which is started again', async () => {
    proxy.child.kill('SIGKILL');
    await sleep(500);
    proxy = startProxy();
  });
  const complete = { restore: () => cluster.waitUntilComplete() };
  await observe('`kill -9` of the primary', () => cluster.killPrimary(), complete);
  if (!options.short) {
    let killed = '';
    await observe(
      '`kill -9` of the primary and its Patroni',
      async () => {
        killed = await cluster.killMachine();
      },
      {
        restore: async () => {
          cluster.restartMember(killed);
          await cluster.waitUntilComplete();
        },
      },
    );
    await observe('switchover', () => cluster.switchOver(), complete);
    await observe('HAProxy hangs for 8 s, and is started again', async () => {
      proxy.child.kill('SIGSTOP');
      await sleep(8000);
      proxy.child.kill('SIGKILL');
      proxy = startProxy();
    });
  }
  const result = await load.finish();
  const { acknowledged, lost, wrong, internal, unexpected, streams, requests } = result;
  if (lost > 0) problems.push(`${lost} of ${acknowledged} acknowledged changes are lost.`);
  if (wrong > 0) problems.push(`${wrong} responses were wrong.`);
  if (internal > 0) problems.push(`${internal} responses were INTERNAL.`);
  if (Object.keys(unexpected).length > 0) problems.push(`Unexpected outcomes: ${JSON.stringify(unexpected)}`);
  if (streams.behind > 0)
    problems.push(`${streams.behind} of ${streams.count} streams have not received the last change.`);
  const header = ['fault', 's without writes', 'without reads', 'without visits', 'failed', 'with'];
  const summary =
    `${requests} requests, ${acknowledged} acknowledged changes: ${lost} lost, ${wrong} wrong responses, ${internal} ` +
    `\`INTERNAL\`. ${streams.count} streams connected ${streams.connections} times, and ${streams.behind} of them missed ` +
    'a change.';
  console.log(`\n${table([header, ...rows])}\n\n${summary}\n`);
  writeResult({ header, rows, summary });
  for (const problem of problems) console.error(`FAILED: ${problem}`);
  if (problems.length > 0) {
    for (const [name, server] of Object.entries(servers)) console.error(`${name}:\n${server.printed().slice(-4000)}`);
  }
  for (const server of Object.values(servers)) await server.stop();
  await proxy.stop();
  await cluster.stop();
  issuer.stop();
  console.log(`${6 - problems.length} passed, ${problems.length} failed`);
  return problems.length === 0;
}

function writeResult(result) {
  const file = process.env['WAYPOST_MEASURE'];
  if (file) writeFileSync(file, JSON.stringify(result));
}

async function untilPrimary() {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(200)) {
    const { code } = await run('psql', [DATABASE_URL, '-qtAc', 'select 1'], { output: 'collect' });
    if (code === 0) return;
  }
  throw new UserError('HAProxy does not forward connections to the primary.');
}

function describe(outcomes) {
  return Object.entries(outcomes)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ');
}
