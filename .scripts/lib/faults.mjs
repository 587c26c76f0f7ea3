// Breaks what Waypost depends on, with SQLite and with PostgreSQL, while members and pages use it, and compares the
// database with the acknowledged changes. Runs in a namespace, see namespace.mjs.

import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatNumber, table } from '../../server/traitql/bench/run/tables.mjs';
import { startIssuer } from '../../server/waypost/bench/issuer.mjs';
import { request } from '../../server/waypost/bench/requests.mjs';
import { startLoad } from './load.mjs';
import { enterNamespace } from './namespace.mjs';
import { exitWithError, startServer, startService, UserError } from './processes.mjs';

const PORT = 4000;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const METRICS = '127.0.0.1:9464';
const DISK_MEGABYTES = 700;
const DATABASE_URL = 'postgres://waypost@127.0.0.1:5432/waypost';
const POSTGRES_BIN = newestPostgres();
const FAKE_CLOCK = ['x86_64', 'aarch64'].map(each => `/usr/lib/${each}-linux-gnu/faketime/libfaketimeMT.so.1`);

/** Long enough that clients notice it. */
const FAULT_MS = 8000;
const SLOW_CLIENTS = 1000;
const IDLE_STREAMS = 10_000;
const STREAMS_PER_ACCOUNT = 50;
const BATCH = 100;

const { values: options } = parseArgs({
  options: {
    program: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
  },
});

/** Each function breaks something and repairs it. */
const FAULTS = {
  'restart (`SIGTERM`)': async world => {
    await world.waypost.stop();
    await world.start();
  },
  '`kill -9`': async world => {
    world.waypost.child.kill('SIGKILL');
    await world.start();
  },
  'power cut': cutPower,
  'full disk': fillDisk,
  'read-only disk': breakDisk,
  'locked database': lockDatabase,
  'disk that hangs': async world => {
    must('fsfreeze', '--freeze', world.disk);
    await sleep(FAULT_MS);
    must('fsfreeze', '--unfreeze', world.disk);
  },
  'provider down': async world => {
    await world.issuer.pause();
    await sleep(FAULT_MS);
    await world.issuer.resume();
  },
  'provider with a new key': async world => world.issuer.rotate(),
  'clock 10 minutes ahead': world => setClock(world, '+10m'),
  'clock 10 minutes behind': world => setClock(world, '-10m'),
  [`${SLOW_CLIENTS.toLocaleString('en')} slow clients`]: sendSlowly,
  [`${IDLE_STREAMS.toLocaleString('en')} idle streams`]: openIdleStreams,
};

try {
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  exitWithError(error);
}

async function main() {
  enterNamespace({});
  const rows = [];
  let isClean = true;
  for (const [name, fault] of Object.entries(FAULTS)) {
    if (!name.includes(options.only)) continue;
    for (const database of ['SQLite', 'PostgreSQL']) {
      if (!database.includes(options.database)) continue;
      const row = await measure(name, database, fault).catch(error => {
        console.error(`FAILED: ${name}, ${database}: ${error instanceof UserError ? error.message : error.stack}`);
        return null;
      });
      if (row === null) isClean = false;
      else {
        rows.push(row.cells);
        isClean &&= row.isClean;
        console.log(`   ${row.cells.join(' | ')}`);
      }
    }
  }
  const header = ['fault', 'database', 'acknowledged', 'lost', 'wrong', 's to service', 'users saw', 'log', 'metrics'];
  console.log(`\n${table([header, ...rows])}\n`);
  const file = process.env['WAYPOST_MEASURE'];
  if (file) writeFileSync(file, JSON.stringify({ header, rows }));
  return isClean;
}

async function measure(name, database, fault) {
  const world = await createWorld(database);
  try {
    const load = await startLoad({ origin: ORIGIN, token: world.issuer.token, slug: 'load' });
    world.load = load;
    await load.observe(() => sleep(1000), { atLeastMs: 1000 });
    const logged = world.log().length;
    const gauges = watchMetrics();
    const { seconds, outcomes } = await load.observe(() => fault(world));
    const seen = gauges.stop();
    const { acknowledged, lost, wrong, internal, streams } = await load.finish();
    const isClean = lost === 0 && wrong === 0 && internal === 0 && streams.behind === 0;
    if (!isClean) {
      console.error(`FAILED: ${name}, ${database}: ${JSON.stringify({ lost, wrong, internal, streams })}`);
      console.error(world.log().slice(-3000));
    }
    const cells = [name, database, acknowledged, lost, wrong + streams.behind + internal].map(String);
    const slowest = Math.max(...Object.values(seconds));
    return {
      cells: [...cells, formatNumber(slowest), describe(outcomes), messages(world.log().slice(logged)), seen],
      isClean,
    };
  } finally {
    await world.stop();
  }
}

/** A disk with the database, a provider and Waypost. */
async function createWorld(database) {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-faults-'));
  const world = { folder, disk: join(folder, 'disk'), image: join(folder, 'image'), clock: join(folder, 'clock') };
  // The user of PostgreSQL must reach its folder.
  chmodSync(folder, 0o755);
  mkdirSync(world.disk);
  writeFileSync(world.clock, '+0');
  must('truncate', '--size', `${DISK_MEGABYTES}M`, world.image);
  must('mkfs.ext4', '-q', world.image);
  must('mount', '-o', 'loop', world.image, world.disk);
  world.isSqlite = database === 'SQLite';
  world.issuer = await startIssuer();
  let printed = '';
  const logs = [];
  world.log = () => printed + logs.map(log => log()).join('');
  const postgres = newPostgres(world);
  world.postgres = postgres;
  if (!world.isSqlite) await postgres.create();
  world.start = async () => {
    const env = {
      PORT: String(PORT),
      WAYPOST_DATA: join(world.disk, 'data'),
      ...(world.isSqlite ? {} : { WAYPOST_DATABASE_URL: DATABASE_URL }),
      WAYPOST_METRICS_BIND: METRICS,
      WAYPOST_LOG: 'warn',
      WAYPOST_MIN_FREE_DISK: '0',
      // Clients of this process count as those of many addresses.
      WAYPOST_TRUST_PROXY: '1',
      WAYPOST_OIDC_ISSUER: world.issuer.url,
      WAYPOST_OIDC_CLIENT_ID: 'bench',
      WAYPOST_OIDC_AUDIENCE: 'bench',
      WAYPOST_OIDC_ROLES_WORKSPACE: 'load',
      LD_PRELOAD: FAKE_CLOCK.find(existsSync) ?? '',
      FAKETIME_TIMESTAMP_FILE: world.clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const url = `${ORIGIN}/readyz`;
    for (let attempt = 1; ; attempt += 1) {
      try {
        world.waypost = await startServer(options.program, ['serve'], { url, name: 'Waypost', env });
        break;
      } catch (error) {
        // As an init system does.
        if (attempt === 10) throw error;
        await sleep(500);
      }
    }
    logs.push(world.waypost.printed);
  };
  world.mount = () => must('mount', '-o', 'loop', world.image, world.disk);
  world.stop = async () => {
    await world.waypost?.stop();
    await postgres.stop();
    world.issuer.stop();
    spawnSync('umount', ['--lazy', world.disk]);
    rmSync(folder, { recursive: true, force: true });
  };
  await world.start();
  return world;
}

function newPostgres(world) {
  const data = join(world.disk, 'postgresql');
  const as = (program, ...args) => [
    'setpriv',
    ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups', join(POSTGRES_BIN, program), ...args],
  ];
  let service = null;
  const isReady = () => spawnSync(join(POSTGRES_BIN, 'pg_isready'), ['-h', '127.0.0.1']).status === 0;
  const start = async () => {
    service = startService(...as('postgres', '-D', data, '-k', ''));
    for (const deadline = Date.now() + 60_000; !isReady(); await sleep(100)) {
      if (Date.now() > deadline) throw new UserError(`PostgreSQL did not start:\n${service.printed()}`);
    }
  };
  return {
    start,
    async create() {
      mkdirSync(data);
      const [uid, gid] = ['-u', '-g'].map(each => Number(spawnSync('id', [each, 'postgres']).stdout.toString()));
      chownSync(data, uid, gid);
      must(...flat(as('initdb', '-D', data, '--username=waypost', '--auth=trust', '--encoding=UTF8', '--locale=C')));
      await start();
      must(...flat(as('createdb', '-h', '127.0.0.1', '-U', 'waypost', 'waypost')));
    },
    run: statement =>
      spawn(join(POSTGRES_BIN, 'psql'), [DATABASE_URL, '--quiet', '--command', statement], { stdio: 'ignore' }),
    async kill() {
      if (service === null) return;
      const { child } = service;
      const hasExited = child.exitCode !== null || child.signalCode !== null;
      const exited = hasExited ? null : new Promise(resolve => child.once('exit', resolve));
      const children = readdirSync('/proc').filter(each => /^\d+$/.test(each));
      const parentOf = pid => {
        try {
          return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        } catch {
          return undefined;
        }
      };
      const own = String(service.child.pid);
      const all = [own, ...children.filter(pid => parentOf(pid) === own)];
      for (const pid of all) spawnSync('kill', ['-9', pid]);
      service = null;
      await exited;
    },
    stop: async () => service?.stop(),
  };
}

/**
 * Ends all processes, and continues with a copy of the disk as it is in that moment: it lacks all data that the file
 * system had only in memory. A device that acknowledges a flush too early is not simulated.
 */
async function cutPower(world) {
  // Shows that the copy lacks data that was not flushed.
  writeFileSync(join(world.disk, 'not-flushed'), 'x'.repeat(1_000_000));
  world.waypost.child.kill('SIGKILL');
  await world.postgres.kill();
  const after = `${world.image}-after`;
  must('cp', '--sparse=always', world.image, after);
  must('umount', '--lazy', world.disk);
  world.image = after;
  world.mount();
  const left = join(world.disk, 'not-flushed');
  if (existsSync(left) && statSync(left).size === 1_000_000) throw new UserError('The power cut lost no data.');
  if (!world.isSqlite) await world.postgres.start();
  await world.start();
}

/** Fills the disk until some time after the first failure: SQLite has space in its files for some changes. */
async function fillDisk(world) {
  const failed = world.load.failed();
  const files = ['1M', '4k'].map(size => {
    const file = join(world.disk, `filler-${size}`);
    // Another process, because the load must not wait for it.
    spawn('dd', ['if=/dev/zero', `of=${file}`, `bs=${size}`], { stdio: 'ignore' });
    return file;
  });
  for (const deadline = Date.now() + 60_000; world.load.failed() === failed && Date.now() < deadline;) await sleep(50);
  await sleep(FAULT_MS);
  for (const file of files) rmSync(file);
}

/** Lets the file system give up, as it does after an error of the disk, and mounts it again. */
async function breakDisk(world) {
  must('mount', '-o', 'remount,abort', world.disk);
  await sleep(FAULT_MS);
  await world.waypost.stop();
  await world.postgres.kill();
  must('umount', world.disk);
  spawnSync('e2fsck', ['-p', world.image]);
  world.mount();
  if (!world.isSqlite) await world.postgres.start();
  await world.start();
}

async function lockDatabase(world) {
  const seconds = FAULT_MS / 1000;
  if (!world.isSqlite) {
    world.postgres.run(`begin; lock table tours, workspaces in access exclusive mode; select pg_sleep(${seconds})`);
    await sleep(FAULT_MS);
    return;
  }
  const script = [
    'import sqlite3, sys, time',
    'database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=5)',
    'database.execute("begin immediate")',
    `time.sleep(${seconds})`,
  ].join('\n');
  const child = spawn('python3', ['-c', script, join(world.disk, 'data', 'waypost.db')]);
  await new Promise(resolve => child.once('close', resolve));
}

async function setClock(world, offset) {
  writeFileSync(world.clock, offset);
  // New tokens, because known ones are not verified again.
  world.issuer.renew();
  await sleep(FAULT_MS / 2);
  const difference = Math.abs(Date.parse(await world.load.serverTime()) - Date.now());
  if (difference < 500_000) throw new UserError(`The clock of Waypost differs by ${difference} ms only.`);
  await sleep(FAULT_MS / 2);
  writeFileSync(world.clock, '+0');
}

/** Sends the headers of requests by one byte per second. */
async function sendSlowly() {
  const text = 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'.repeat(5);
  const sockets = Array.from({ length: SLOW_CLIENTS }, () => {
    const socket = net.connect(PORT, '127.0.0.1');
    socket.on('error', () => {});
    return socket;
  });
  for (let at = 0; at < 2 * (FAULT_MS / 1000); at += 1) {
    for (const socket of sockets) if (socket.writable) socket.write(text[at]);
    await sleep(1000);
  }
  for (const socket of sockets) socket.destroy();
}

async function openIdleStreams({ issuer, load }) {
  const opened = [];
  for (let index = 0; index < IDLE_STREAMS; index += BATCH) {
    opened.push(...(await Promise.all(Array.from({ length: BATCH }, (_, at) => openStream(issuer, load, index + at)))));
  }
  await sleep(FAULT_MS);
  for (const sent of opened) sent.destroy();
}

function openStream(issuer, load, index) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'multipart/mixed;subscriptionSpec=1.0, application/json',
      authorization: `Bearer ${issuer.token(`viewer-${Math.floor(index / STREAMS_PER_ACCOUNT)}`)}`,
      'x-forwarded-for': `10.0.${index >> 8}.${index & 255}`,
    };
    const sent = http.request(`${ORIGIN}/graphql`, { method: 'POST', agent: false, headers }, response => {
      if (response.statusCode !== 200) reject(new UserError(`A stream got status ${response.statusCode}.`));
      response.on('error', () => {});
      response.once('data', () => resolve(sent));
      response.resume();
    });
    sent.on('error', error => reject(new UserError(`A stream failed: ${error.message}`)));
    sent.end(request('SiteChanged', { id: load.site.id }));
  });
}

/** Reads the metrics every second, and returns those that have changed to 0. */
function watchMetrics() {
  const found = new Set();
  let failed = 0;
  const timer = setInterval(async () => {
    // The database is checked for at most two seconds.
    const text = await fetch(`http://${METRICS}/metrics`, { signal: AbortSignal.timeout(4000) })
      .then(response => response.text())
      .catch(() => null);
    if (text === null) failed += 1;
    for (const [, name] of (text ?? '').matchAll(/^waypost_(\w+ready) 0$/gm)) found.add(`${name} 0`);
  }, 1000);
  return {
    stop() {
      clearInterval(timer);
      return [...found, ...(failed > 0 ? ['no response'] : [])].join(', ');
    },
  };
}

/** Returns the different messages of a log. */
function messages(log) {
  const found = new Set();
  for (const line of log.split('\n')) {
    try {
      const { message, cause, error } = JSON.parse(line);
      found.add([message, cause ?? error].filter(Boolean).join(': ').slice(0, 90));
    } catch {
      // A line of another program.
    }
  }
  return [...found].slice(0, 3).join('; ');
}

function describe(outcomes) {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  return counts.join(', ') || 'nothing';
}

function newestPostgres() {
  const versions = '/usr/lib/postgresql';
  const newest = existsSync(versions)
    ? readdirSync(versions)
        .toSorted((a, b) => Number(a) - Number(b))
        .at(-1)
    : '';
  return join(versions, newest ?? '', 'bin');
}

function flat([program, args]) {
  return [program, ...args];
}

function must(program, ...args) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new UserError(`${program} ${args.join(' ')} failed: ${stderr}`);
}
