// Measures the capacity for mixed traffic, then sends half of it for a long time, and prints memory, descriptors, latency
// and the size of the database for each minute.

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { formatInteger, formatNumber, megabytes, table } from '../../server/traitql/bench/run/tables.mjs';
import { startIssuer } from '../../server/waypost/bench/issuer.mjs';
import { request } from '../../server/waypost/bench/requests.mjs';
import { writeTables } from './benchmark-page.mjs';
import { buildServer } from './build.mjs';
import { exitWithError, freePort, startServer, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const PAGE = 'server/waypost/bench/SOAK.md';
const SAVE_COMMAND = 'npm run bench:soak -- --save';

const HELP = `npm run bench:soak -- [options]

  --minutes N   length of the measurement [default: 60]
  --quick       a debug build and a few seconds, to check that it works; the figures are meaningless
  --save        writes the table to ${PAGE}`;

const ORIGIN = 'https://shop.example';

/** Visitors who return; others are new. */
const KNOWN_VISITORS = 5000;

const STREAMS = 50;

const TICK_MS = 50;

/** Requests that may wait for their response. More mean that the server does not keep up. */
const MAX_WAITING = 2000;

/** Shares of the requests in percent. */
const MIX = { bootKnown: 50, bootNew: 5, record: 30, list: 10, save: 5 };

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const SIZE = options.quick
  ? { capacitySeconds: 2, rows: 2, rowSeconds: 2 }
  : { capacitySeconds: 20, rows: Number(options.minutes), rowSeconds: 60 };

const folder = mkdtempSync(join(tmpdir(), 'waypost-soak-'));
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
const stops = [];

/** Each request has its own address, so that no limit per address applies. */
let numbers = 0;

async function stopAll() {
  for (const stop of stops.splice(0).toReversed()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

async function start(program) {
  const issuer = await startIssuer();
  const port = await freePort();
  const data = join(folder, 'data');
  const env = {
    PORT: String(port),
    WAYPOST_DATA: data,
    WAYPOST_LOG: 'error',
    // Requests of this process count as those of many addresses.
    WAYPOST_TRUST_PROXY: '1',
    WAYPOST_OIDC_ISSUER: issuer.url,
    WAYPOST_OIDC_CLIENT_ID: 'bench',
    WAYPOST_OIDC_AUDIENCE: 'bench',
  };
  stops.push(() => issuer.stop());
  const server = await startServer(program, [], { url: `http://127.0.0.1:${port}/readyz`, name: 'Waypost', env });
  stops.push(() => server.stop());
  const installation = { port, data, pid: server.child.pid, issuer, number: 0, known: [] };
  await fill(installation);
  return installation;
}

async function fill(installation) {
  const operation = async (name, variables) => {
    const { status, text } = await send(installation, '/graphql', request(name, variables), true);
    const { data, errors } = JSON.parse(text);
    if (errors) throw new UserError(`${name} returned ${status}: ${text}`);
    return data;
  };
  const { workspaceCreate: workspace } = await operation('WorkspaceCreate', { input: { name: 'Soak', slug: 'soak' } });
  const workspaceId = workspace.id;
  const { siteCreate: site } = await operation('SiteCreate', {
    input: { workspaceId, name: 'Shop', origins: [ORIGIN] },
  });
  const create = async slug =>
    (await operation('TourCreate', { input: { workspaceId, title: slug, slug } })).tourCreate;
  const [tour, draft] = [await create('released'), await create('draft')];
  const steps = ['one', 'two', 'three'].map(key => ({ key, kind: 'MODAL', title: key }));
  const { tourSave } = await operation('TourSave', { input: { id: tour.id, expectedVersion: 1, steps } });
  const release = { tourId: tour.id, expectedVersion: tourSave.version, siteIds: [site.id] };
  await operation('TourRelease', { input: release });
  Object.assign(installation, { workspaceId, siteKey: site.key, draft: draft.id, version: 1, steps });
  const boot = await send(installation, '/e/boot', JSON.stringify(page(installation, newVisitor())));
  installation.release = JSON.parse(boot.text).tours[0].releaseId;
}

const newVisitor = () => ({ anonymousId: crypto.randomUUID() });

const page = ({ siteKey }, { anonymousId }) => ({ siteKey, visitor: { anonymousId }, url: `${ORIGIN}/orders` });

/** Sends a request, and returns the status and the text of its response. */
async function send({ port, issuer }, path, body, isMember = false) {
  const number = (numbers += 1);
  const headers = {
    'content-type': isMember ? 'application/json' : 'text/plain',
    'content-length': Buffer.byteLength(body),
    accept: 'application/json',
    'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    ...(isMember ? { authorization: `Bearer ${issuer.token('owner')}` } : { origin: ORIGIN }),
  };
  const sent = http.request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, text };
}

/** Functions that send one request of the mixed traffic. */
const actions = {
  async bootKnown(installation) {
    const { known } = installation;
    if (known.length === 0) return actions.bootNew(installation);
    const visitor = known[Math.floor(Math.random() * known.length)];
    return send(installation, '/e/boot', JSON.stringify(page(installation, visitor)));
  },
  async bootNew(installation) {
    const visitor = newVisitor();
    const reply = await send(installation, '/e/boot', JSON.stringify(page(installation, visitor)));
    if (installation.known.length < KNOWN_VISITORS) installation.known.push(visitor);
    return reply;
  },
  record(installation) {
    const { known, siteKey, release, steps } = installation;
    const visitor = known.length > 0 ? known[Math.floor(Math.random() * known.length)] : newVisitor();
    visitor.run ??= { id: crypto.randomUUID(), seq: 0 };
    const { run } = visitor;
    const seq = run.seq;
    run.seq += 1;
    const kind = ['RUN_STARTED', 'STEP_SEEN', 'STEP_DONE'][Math.min(seq, 2)];
    const stepKey = steps[Math.floor(seq / 2) % steps.length].key;
    const at = new Date().toISOString();
    const event = { runId: run.id, releaseId: release, seq, kind, stepKey, at };
    const { anonymousId } = visitor;
    return send(installation, '/e/record', JSON.stringify({ siteKey, visitor: { anonymousId }, events: [event] }));
  },
  list(installation) {
    const { workspaceId } = installation;
    return send(installation, '/graphql', request('Tours', { workspaceId }), true);
  },
  async save(installation) {
    // Saves of one draft follow each other, like those of an editor.
    const earlier = installation.saving;
    const saved = (async () => {
      await earlier;
      const { draft: id, version: expectedVersion, steps } = installation;
      const input = { id, expectedVersion, steps };
      const reply = await send(installation, '/graphql', request('TourSave', { input }), true);
      const version = JSON.parse(reply.text).data?.tourSave?.version;
      if (version !== undefined) installation.version = version;
      return reply;
    })();
    installation.saving = saved.catch(() => {});
    return saved;
  },
};

const names = Object.entries(MIX).flatMap(([name, share]) => Array.from({ length: share }, () => name));

/** Sends a random request. Returns its milliseconds, or null if it failed. */
async function act(installation, scheduled, failures) {
  const name = names[Math.floor(Math.random() * names.length)];
  try {
    const { status, text } = await actions[name](installation);
    if (status === 200 && !text.includes('"errors":[')) return performance.now() - scheduled;
    failures.set(name, `${status}: ${text.slice(0, 300)}`);
  } catch (error) {
    failures.set(name, error.message);
  }
  return null;
}

/** Sends as many requests as 32 clients can. */
async function measureCapacity(installation) {
  const failures = new Map();
  let count = 0;
  const started = performance.now();
  const end = started + SIZE.capacitySeconds * 1000;
  const client = async () => {
    while (performance.now() < end) if ((await act(installation, performance.now(), failures)) !== null) count += 1;
  };
  await Promise.all(Array.from({ length: 32 }, client));
  if (failures.size > 0) throw new UserError(`Requests failed: ${JSON.stringify([...failures])}`);
  return (count * 1000) / (performance.now() - started);
}

async function soak(installation, rate) {
  const streams = await openStreams(installation);
  const rows = [];
  for (let minute = 1; minute <= SIZE.rows; minute += 1) {
    const eventsBefore = streams.events;
    const { times, errors, failures } = await sendForOneRow(installation, rate);
    const row = {
      minute,
      requests: times.length,
      errors,
      ...resources(installation),
      events: streams.events - eventsBefore,
    };
    row.p50 = percentile(times, 0.5);
    row.p99 = percentile(times, 0.99);
    rows.push(row);
    console.log(format(row).join('  '));
    for (const [name, failure] of failures) console.log(`   ${name}: ${failure}`);
  }
  streams.close();
  return rows;
}

/** Sends requests at a fixed rate, regardless of responses: their times include the wait of a server that is late. */
async function sendForOneRow(installation, rate) {
  const failures = new Map();
  const times = [];
  let [sent, waiting, errors] = [0, 0, 0];
  const started = performance.now();
  const pending = new Set();
  while (performance.now() - started < SIZE.rowSeconds * 1000) {
    const due = ((performance.now() - started) / 1000) * rate;
    for (; sent < due; sent += 1) {
      if (waiting >= MAX_WAITING) {
        errors += 1;
        failures.set('load', `${MAX_WAITING} requests wait for their response`);
        continue;
      }
      waiting += 1;
      const scheduled = started + (sent / rate) * 1000;
      const done = act(installation, scheduled, failures).then(time => {
        waiting -= 1;
        pending.delete(done);
        if (time === null) errors += 1;
        else times.push(time);
      });
      pending.add(done);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
  return { times, errors, failures };
}

/** Opens subscriptions of the draft, and replaces one each second. */
async function openStreams(installation) {
  const { port, issuer, draft: id } = installation;
  const state = { events: 0, close: () => {} };
  const open = async () => {
    const headers = {
      'content-type': 'application/json',
      accept: 'multipart/mixed;subscriptionSpec=1.0, application/json',
      authorization: `Bearer ${issuer.token('owner')}`,
    };
    const sent = http.request({ host: '127.0.0.1', port, path: '/graphql', method: 'POST', agent: false, headers });
    sent.on('error', () => {});
    sent.end(request('TourChanged', { id }));
    const [response] = await once(sent, 'response');
    if (response.statusCode !== 200) throw new UserError(`A subscription returned ${response.statusCode}.`);
    response.setEncoding('utf8').on('data', text => (state.events += text.split('"payload"').length - 1));
    response.on('error', () => {});
    return () => sent.destroy();
  };
  // One less than the limit of an account, because a new one begins before the old one has ended.
  const opened = await Promise.all(Array.from({ length: STREAMS - 1 }, open));
  const timer = setInterval(async () => {
    opened.shift()?.();
    opened.push(await open().catch(() => () => {}));
  }, 1000);
  state.close = () => {
    clearInterval(timer);
    for (const close of opened) close();
  };
  return state;
}

function resources({ pid, data }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  const files = readdirSync(data).filter(name => name.startsWith('waypost.db'));
  return {
    memory: kilobytes * 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    database: files.reduce((sum, name) => sum + statSync(join(data, name)).size, 0),
  };
}

function percentile(times, share) {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

function format({ minute, requests, errors, p50, p99, memory, descriptors, events, database }) {
  return [
    minute,
    formatInteger(requests),
    errors,
    formatNumber(p50),
    formatNumber(p99),
    megabytes(memory),
    descriptors,
    formatInteger(events),
    megabytes(database),
  ].map(String);
}

/** Compares the last quarter with the one before. Caches fill in the first half. */
function trend(rows) {
  const quarter = Math.floor(rows.length / 4);
  if (quarter === 0) return 'Too short for a trend.';
  const mean = (part, key) => part.reduce((sum, row) => sum + row[key], 0) / part.length;
  const [third, last] = [rows.slice(-2 * quarter, -quarter), rows.slice(-quarter)];
  const change = key => `${formatNumber(mean(third, key))} → ${formatNumber(mean(last, key))}`;
  const memory = `${megabytes(mean(third, 'memory'))} → ${megabytes(mean(last, 'memory'))} MB`;
  return `From the third to the last quarter: memory ${memory}, p99 ${change('p99')} ms, descriptors ${change('descriptors')}.`;
}

try {
  await requireCompilers('npm run bench:soak');
  if (!(SIZE.rows > 0)) throw new UserError(`--minutes is ${options.minutes}, but must be a positive number.`);
  const program = process.env['WAYPOST_BINARY'] ?? (await buildServer(options.quick ? 'debug' : 'release'));
  const on = describeMachine();
  const installation = await start(program);
  const capacity = await measureCapacity(installation);
  const rate = capacity / 2;
  console.log(`Capacity: ${formatInteger(capacity)} requests a second. Sending ${formatInteger(rate)} a second.`);
  const rows = await soak(installation, rate);
  const head = [
    'minute',
    'requests',
    'errors',
    'p50 ms',
    'p99 ms',
    'memory MB',
    'descriptors',
    'events',
    'database MB',
  ];
  const flags = options.quick ? ['-- --quick'] : [`-- --minutes ${options.minutes}`];
  const command = ['npm run bench:soak', ...flags].join(' ');
  const build = process.env['WAYPOST_BINARY'] ? ` with WAYPOST_BINARY=${process.env['WAYPOST_BINARY']}` : '';
  const summary = `\`${command}\`${build} on ${on}. Capacity: ${formatInteger(capacity)} requests a second; half of it was sent.`;
  const text = [summary, table([head, ...rows.map(format)]), trend(rows)].join('\n\n');
  console.log(`\n${text}\n`);
  if (options.save) writeTables(PAGE, SAVE_COMMAND, text);
  if (rows.some(({ errors }) => errors > 0)) throw new UserError('There were errors: see the table.');
} catch (error) {
  process.exitCode = 1;
  await stopAll();
  exitWithError(error);
}
await stopAll();
process.exit();
