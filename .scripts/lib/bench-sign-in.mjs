// Measures sign-in and renewal in a browser, then the verification of a token and a whole request with it.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { formatInteger, formatNumber, median, table } from '../../server/traitql/bench/run/tables.mjs';
import { writeTables } from './benchmark-page.mjs';
import { requireBrowsers } from './browser.mjs';
import { buildClient, buildServer } from './build.mjs';
import { startProvider, startWaypost } from './development.mjs';
import { measureProcess } from './generator.mjs';
import { exitWithError, freePort, runOrFail, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const PAGE = 'server/waypost/auth/BENCHMARKS.md';
const SAVE_COMMAND = 'npm run bench:sign-in -- --save';

const HELP = `npm run bench:sign-in -- [options]

  --quick   debug builds and few repetitions, to check that it works; the figures are meaningless
  --save    writes the tables to ${PAGE}`;

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

const ROUNDS = options.quick ? 2 : 21;

const REQUESTS = options.quick ? 50 : 2000;

const TOKEN_BENCH = [
  'bench',
  '--locked',
  '--workspace',
  '--bench',
  'tokens',
  '--profile',
  options.quick ? 'dev' : 'bench',
];

const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
const running = [];
let browser = null;
try {
  await requireCompilers('npm run bench:sign-in');
  const executablePath = await requireBrowsers();
  await buildClient();
  const program = process.env['WAYPOST_BINARY'] ?? (await buildServer(options.quick ? 'debug' : 'release'));
  await runOrFail('Building the token benchmark', 'cargo', [...TOKEN_BENCH, '--no-run']);
  const on = describeMachine();
  const started = Date.now();
  const [port, providerPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  running.push(await startProvider({ port: providerPort, origins: [origin], folder }));
  const server = await startWaypost({
    program,
    port,
    providerPort,
    data: join(folder, 'data'),
    extra: { WAYPOST_LOG: 'error' },
  });
  running.push(server);
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

  const { rows, recorded } = await measureBrowser(origin, `http://localhost:${providerPort}`);
  const parts = [
    table([['in the browser', 'median ms', 'slowest ms', 'requests to the provider'], ...rows]),
    table([
      ['on one core of the server', 'µs', 'per second', 'latency µs'],
      ...(await measureVerification()),
      ...(await measureRequests(server, recorded)),
    ]),
  ];
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const command = ['npm run bench:sign-in', ...(options.quick ? ['-- --quick'] : [])].join(' ');
  const text = [`\`${command}\` on ${on}, in ${minutes} minutes.`, ...parts].join('\n\n');
  console.log(`\n${text}\n`);
  if (options.save) writeTables(PAGE, SAVE_COMMAND, text);
} catch (error) {
  process.exitCode = 1;
  await stopAll();
  exitWithError(error);
}
await stopAll();

async function stopAll() {
  await browser?.close();
  for (const service of running.toReversed()) await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the rows of the table, and two recorded API requests: an anonymous and a signed-in one. */
async function measureBrowser(origin, provider) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const recorded = {};
  let providerRequests = 0;
  context.on('request', request => {
    if (request.url().startsWith(provider)) providerRequests += 1;
    if (new URL(request.url()).pathname !== '/graphql') return;
    const kind = 'authorization' in request.headers() ? 'signed in' : 'anonymous';
    recorded[kind] ??= {
      url: request.url(),
      method: request.method(),
      headers: request.headers(),
      body: request.postData(),
    };
  });
  const rows = [];
  const measure = async (name, prepare, work) => {
    const times = [];
    const counts = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const prepared = await prepare();
      providerRequests = 0;
      times.push(await work(prepared));
      counts.push(providerRequests);
    }
    const shown =
      Math.min(...counts) === Math.max(...counts) ? counts[0] : `${Math.min(...counts)} to ${Math.max(...counts)}`;
    rows.push([name, formatInteger(median(times)), formatInteger(Math.max(...times)), String(shown)]);
  };
  const session = where => where.getByRole('button', { name: /^Account menu of/ });
  const choices = {
    tab: page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }),
    window: page.getByRole('button', { name: /in a new window$/ }),
  };
  // Removes Waypost's session. The provider keeps its own session.
  const clearSession = async () => {
    await page.goto(`${origin}/robots.txt`);
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.clear();
    });
    await page.goto(`${origin}/workspaces`);
    await choices.tab.waitFor();
  };
  const enterPassword = async () => {
    await page.getByLabel('Name', { exact: true }).fill('viewer');
    await page.getByLabel('Password').fill('viewer');
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const clearAllSessions = async () => {
    await context.clearCookies();
    await clearSession();
  };

  await measure('sign-in in this tab, with a password that is filled in automatically', clearAllSessions, () =>
    timed(async () => {
      await choices.tab.click();
      await enterPassword();
      await session(page).waitFor();
    }),
  );
  for (const [target, choice] of Object.entries(choices)) {
    await measure(`sign-in in a ${target}, with a session at the provider`, clearSession, () =>
      timed(async () => {
        await choice.click();
        await session(page).waitFor();
      }),
    );
  }
  await measure(
    'session of a new tab',
    () => context.newPage(),
    async tab => {
      const time = await timed(async () => {
        await tab.goto(`${origin}/workspaces`);
        await session(tab).waitFor();
      });
      await tab.close();
      return time;
    },
  );
  for (const [method, label] of [
    ['by refresh token', 'Renew session with refresh token'],
    ['in a hidden frame', 'Renew session in hidden frame'],
  ]) {
    await measure(
      `renewal ${method}`,
      async () => {
        await session(page).click();
        await page.getByRole('menuitem', { name: 'Sign-in details' }).click();
        return page.getByRole('dialog').getByRole('button', { name: label });
      },
      button => button.evaluate(timeRenewal),
    );
  }
  await context.close();
  return { rows, recorded };
}

/** Runs in the page: clicks, and returns the milliseconds until the tokens have changed. */
async function timeRenewal(button) {
  const tokens = () => Object.entries({ ...sessionStorage }).find(([key]) => key.startsWith('waypost.user.'))?.[1];
  const before = tokens();
  const channel = new MessageChannel();
  const started = performance.now();
  button.click();
  while (tokens() === before) {
    await new Promise(resolve => {
      channel.port1.addEventListener('message', resolve, { once: true });
      channel.port1.start();
      channel.port2.postMessage(null);
    });
  }
  return performance.now() - started;
}

/** Returns name, microseconds and verifications per second. */
async function measureVerification() {
  const { code, output } = await measureProcess('cargo', [...TOKEN_BENCH, '--quiet']);
  const rows = [...output.matchAll(/^\| ([^|]+) \| ([\d.]+) \| (\d+) \|$/gm)];
  if (code !== 0 || rows.length === 0) throw new UserError(`The token benchmark failed:\n${output}`);
  return rows.map(([, name, micros, rate]) => [name, formatNumber(Number(micros)), formatInteger(Number(rate)), '']);
}

async function measureRequests(server, recorded) {
  const rows = [];
  for (const [kind, request] of Object.entries(recorded).toSorted()) {
    const { url, method, headers, body } = request;
    const sentHeaders = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !/^(?:host|connection|content-length|accept-encoding)$/.test(name)),
    );
    const send = async () => {
      const response = await fetch(url, { method, headers: sentHeaders, body });
      const text = await response.text();
      if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${text}`);
    };
    // Queries that require no access token are sent with GET.
    const operation = body === null ? new URL(url).searchParams.get('operationName') : JSON.parse(body).operationName;
    const name = `whole request, ${kind}: ${operation}`;
    for (let warm = 0; warm < REQUESTS / 10; warm += 1) await send();
    const times = [];
    const before = cpuTime(server.child.pid);
    for (let round = 0; round < REQUESTS; round += 1) times.push(await timed(send));
    const used = cpuTime(server.child.pid);
    const micros = used === null ? null : ((used - before) * 1e6) / REQUESTS;
    const cost = micros === null ? ['Linux only', ''] : [formatInteger(micros), formatInteger(1e6 / micros)];
    rows.push([name, ...cost, formatInteger(median(times) * 1000)]);
  }
  return rows;
}

/** Reads fields 14 and 15 of proc(5), in ticks of 10 ms. */
function cpuTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
