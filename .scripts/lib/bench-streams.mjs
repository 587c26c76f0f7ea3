// Measures the memory of connections without a sign-in and of idle subscriptions, and how fast one change reaches ten
// thousand subscribers.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { formatInteger, formatNumber, table } from '../../server/traitql/bench/run/tables.mjs';
import { startIssuer } from '../../server/waypost/bench/issuer.mjs';
import { request } from '../../server/waypost/bench/requests.mjs';
import { writeTables } from './benchmark-page.mjs';
import { buildServer } from './build.mjs';
import { exitWithError, freePort, ROOT, startServer, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const PAGE = 'server/waypost/bench/STREAMS.md';
const SAVE_COMMAND = 'npm run bench:streams -- --save';

const HELP = `npm run bench:streams -- [options]

  --quick   a debug build and few connections, to check that it works; the figures are meaningless
  --save    writes the table to ${PAGE}`;

const BOOT_CLIENT = join(ROOT, 'server/waypost/bench/boot-client.mjs');

/** The page of a site that calls `boot`. */
const ORIGIN = 'https://shop.example';

const STREAMS_PER_ACCOUNT = 50;

/** Time for the server to free the memory of connections that have ended. */
const SETTLE_MS = 4000;

/** The server closes a socket that has not signed in after three seconds. */
const BEFORE_TIMEOUT_MS = 300;

const WARM_UP = 20;

const BATCH = 100;

const EVENT_TIMEOUT_MS = 60_000;

const { values: options } = parseArgs({
  options: {
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
  ? { sockets: 100, handshakes: 200, subscriptions: 100, subscribers: 200 }
  : { sockets: 1000, handshakes: 2000, subscriptions: 1000, subscribers: 9950 };

/** Open a subscription of the tour, call `onText` for each text that arrives, and return a function that closes it. */
const openSubscription = {
  async webSocket(of, { id }, index, onText = () => {}) {
    const close = await openSocket(of, addressOf(index));
    const { socket } = close;
    const authorization = `Bearer ${of.issuer.token(accountOf(index))}`;
    const ready = new Promise((resolve, reject) => {
      socket.on('message', message => {
        const text = message.toString();
        const { type } = JSON.parse(text.slice(0, 400).replace(/,"payload".*/s, '}'));
        if (type === 'next') resolve();
        if (type === 'error') reject(new UserError(`The subscription failed: ${text}`));
        onText(text);
      });
      socket.on('close', (code, reason) => reject(new UserError(`The socket was closed: ${code} ${reason}`)));
    });
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    const payload = JSON.parse(request('TourChanged', { id }));
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
    await ready;
    return close;
  },

  async multipart(of, { id }, index, onText = () => {}) {
    const sent = http.request(`${of.origin}/graphql`, {
      agent: false,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'multipart/mixed;subscriptionSpec=1.0, application/json',
        authorization: `Bearer ${of.issuer.token(accountOf(index))}`,
        'x-forwarded-for': addressOf(index),
      },
    });
    sent.end(request('TourChanged', { id }));
    const [response] = await once(sent, 'response');
    if (response.statusCode !== 200) throw new UserError(`The subscription failed with status ${response.statusCode}.`);
    response.setEncoding('utf8');
    response.on('data', onText);
    response.on('error', () => {});
    await once(response, 'data');
    return () => sent.destroy();
  },
};

const accountOf = index => `viewer-${Math.floor(index / STREAMS_PER_ACCOUNT)}`;

const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
const stops = [];
try {
  await requireCompilers('npm run bench:streams');
  const program = process.env['WAYPOST_BINARY'] ?? (await buildServer(options.quick ? 'debug' : 'release'));
  const on = describeMachine();
  const command = ['npm run bench:streams', ...(options.quick ? ['-- --quick'] : [])].join(' ');
  const rows = await measureAll(program);
  const text = [`\`${command}\` on ${on}.`, table([['', 'connections', 'limit', 'measured'], ...rows])].join('\n\n');
  console.log(`\n${text}\n`);
  if (options.save) writeTables(PAGE, SAVE_COMMAND, text);
} catch (error) {
  process.exitCode = 1;
  await stopAll();
  exitWithError(error);
}
await stopAll();

async function stopAll() {
  for (const stop of stops.splice(0).toReversed()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(program) {
  const rows = [];
  const sockets = await onNewServer(program, of =>
    measureMemory(of, SIZE.sockets, index => openSocket(of, addressOf(index)), BEFORE_TIMEOUT_MS),
  );
  const accepted = await onNewServer(program, countHandshakes);
  rows.push(
    ['bytes per socket that sends nothing', SIZE.sockets, '8,192', formatInteger(sockets.each)],
    ['… that remain when all have left', SIZE.sockets, '', formatInteger(sockets.kept)],
    ['accepted sockets of one address', SIZE.handshakes, String(STREAMS_PER_ACCOUNT), formatInteger(accepted)],
  );
  for (const [name, open] of [
    ['a WebSocket', openSubscription.webSocket],
    ['a multipart response', openSubscription.multipart],
  ]) {
    const memory = await onNewServer(program, (of, tour) =>
      measureMemory(of, SIZE.subscriptions, index => open(of, tour, index)),
    );
    rows.push([`bytes per idle subscription in ${name}`, SIZE.subscriptions, '25,600', formatInteger(memory.each)]);
    rows.push(['… that remain when all have left', SIZE.subscriptions, '', formatInteger(memory.kept)]);
  }
  const fanOut = await onNewServer(program, measureFanOut);
  rows.push(
    ['ms until one change has reached all subscribers', SIZE.subscribers, '2,000', formatInteger(fanOut.change)],
    ['… slowest `boot` meanwhile, in ms', fanOut.boots, '50', formatNumber(fanOut.slowestBoot)],
    ['bytes per subscription of these', SIZE.subscribers, '25,600', formatInteger(fanOut.each)],
    ['… that remain when all have left', SIZE.subscribers, '', formatInteger(fanOut.kept)],
  );
  return rows;
}

/** Memory that was freed before would be used again. */
async function onNewServer(program, measure) {
  const issuer = await startIssuer();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    WAYPOST_DATA: mkdtempSync(join(folder, 'data-')),
    WAYPOST_LOG: 'error',
    // Connections of this process count as those of many addresses.
    WAYPOST_TRUST_PROXY: '1',
    WAYPOST_OIDC_ISSUER: issuer.url,
    WAYPOST_OIDC_CLIENT_ID: 'bench',
    WAYPOST_OIDC_AUDIENCE: 'bench',
    WAYPOST_OIDC_ROLES_WORKSPACE: 'bench',
  };
  const server = await startServer(program, [], { url: `${origin}/readyz`, name: 'Waypost', env });
  stops.push(issuer.stop, () => server.stop());
  const of = { origin, pid: server.child.pid, issuer };
  const tour = await createTour(of);
  // The first connections fill caches and pools.
  const closes = await openAll(WARM_UP, index => openSubscription.webSocket(of, tour, index));
  for (const close of closes) close();
  await sleep(SETTLE_MS);
  const result = await measure(of, tour);
  await server.stop();
  issuer.stop();
  stops.length = 0;
  return result;
}

async function createTour({ origin, issuer }) {
  const send = async (operation, variables) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${issuer.token('owner')}` },
      body: request(operation, variables),
    });
    const { data, errors } = await response.json();
    if (errors) throw new UserError(`Waypost returned errors for ${operation}: ${JSON.stringify(errors)}`);
    return data;
  };
  const input = { name: 'Benchmark', slug: 'bench' };
  const { workspaceCreate: workspace } = await send('WorkspaceCreate', { input });
  const { siteCreate: site } = await send('SiteCreate', {
    input: { workspaceId: workspace.id, name: 'Shop', origins: [ORIGIN] },
  });
  const { tourCreate: tour } = await send('TourCreate', {
    input: { workspaceId: workspace.id, title: 'Benchmark', slug: 'bench' },
  });
  const rename = async title => {
    const { tourRename } = await send('TourRename', { id: tour.id, expectedVersion: tour.version, title });
    tour.version = tourRename.version;
  };
  return { id: tour.id, siteKey: site.key, rename };
}

/** Changes the address after twenty connections, so that no limit per address is reached. */
function addressOf(index) {
  const number = Math.floor(index / 20);
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

/** Returns bytes per connection, and those that remain when all have left. */
async function measureMemory(of, count, open, settleMs = SETTLE_MS) {
  const before = memoryOf(of.pid);
  const closes = await openAll(count, open);
  await sleep(settleMs);
  const during = memoryOf(of.pid);
  for (const close of closes) close();
  await sleep(SETTLE_MS);
  return { each: (during - before) / count, kept: (memoryOf(of.pid) - before) / count };
}

async function openAll(count, open) {
  const closes = [];
  for (let index = 0; index < count; index += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - index) }, (_, at) => open(index + at));
    closes.push(...(await Promise.all(batch)));
  }
  return closes;
}

async function openSocket({ origin }, address) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { 'x-forwarded-for': address },
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  socket.on('error', () => {});
  return Object.assign(() => socket.terminate(), { socket });
}

/** Returns the largest number of sockets that were open at the same time, because the server closes silent ones. */
async function countHandshakes(of) {
  let open = 0;
  let most = 0;
  const attempts = Array.from({ length: SIZE.handshakes }, async () => {
    const close = await openSocket(of, '192.0.2.1');
    open += 1;
    most = Math.max(most, open);
    close.socket.once('close', () => (open -= 1));
    return close;
  });
  const results = await Promise.allSettled(attempts);
  for (const { value: close } of results) close?.();
  await sleep(SETTLE_MS);
  return most;
}

/**
 * Returns the milliseconds until all subscribers have the new title, those of the slowest `boot` in that time, and the
 * memory of the subscribers.
 */
async function measureFanOut(of, tour) {
  const before = memoryOf(of.pid);
  const title = 'Renamed for everybody';
  let missing = SIZE.subscribers;
  let onAll = () => {};
  const all = new Promise(resolve => (onAll = resolve));
  const onText = text => {
    if (!text.includes(title)) return;
    missing -= 1;
    if (missing === 0) onAll();
  };
  const open = index => openSubscription.multipart(of, tour, index, onText);
  const closes = await openAll(SIZE.subscribers, open);
  await sleep(SETTLE_MS);
  const during = memoryOf(of.pid);
  const boots = bootRepeatedly(of, tour);
  await sleep(500);
  boots.times.length = 0;
  const started = performance.now();
  const timeout = sleep(EVENT_TIMEOUT_MS, 'timeout', { ref: false });
  await tour.rename(title);
  if ((await Promise.race([all, timeout])) === 'timeout')
    throw new UserError(`${missing} subscribers did not receive the change.`);
  const change = performance.now() - started;
  while (boots.times.length === 0) await sleep(20);
  boots.stop();
  for (const close of closes) close();
  await sleep(SETTLE_MS);
  const perSubscriber = bytes => (bytes - before) / SIZE.subscribers;
  const [each, kept] = [perSubscriber(during), perSubscriber(memoryOf(of.pid))];
  return { change, each, kept, boots: boots.times.length, slowestBoot: Math.max(...boots.times) };
}

/** Calls `boot` in another process, because this one is busy with the subscribers. */
function bootRepeatedly({ origin }, { siteKey }) {
  const body = JSON.stringify({ siteKey, visitor: { anonymousId: 'visitor-of-the-benchmark' }, url: `${ORIGIN}/` });
  const init = { method: 'POST', headers: { 'content-type': 'text/plain', origin: ORIGIN }, body };
  const client = fork(BOOT_CLIENT, [`${origin}/e/boot`, JSON.stringify(init)]);
  const times = [];
  client.on('message', time => times.push(time));
  return { times, stop: () => client.kill() };
}

function memoryOf(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new UserError('This benchmark needs Linux.');
  return Number(kilobytes) * 1024;
}
