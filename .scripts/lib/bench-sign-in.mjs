// The work of `npm run bench:sign-in`: signing in and renewing in a browser, beside the identity provider for development;
// then the check of a token, beside the whole request that it is a part of.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { describe } from '../../server/bench/run/machine.mjs';
import { median, short, table, whole } from '../../server/bench/run/tables.mjs';
import { writeTables } from './benchmark-page.mjs';
import { requireBrowser } from './browser.mjs';
import { buildClient, buildServer } from './build.mjs';
import { startProvider, startWaypost } from './development.mjs';
import { measured } from './generator.mjs';
import { exitWithError, freePort, runOrFail, UserError } from './processes.mjs';
import { requireRust } from './requirements.mjs';

const PAGE = 'server/waypost-auth/BENCHMARKS.md';
const SAVE = 'npm run bench:sign-in -- --save';

const HELP = `npm run bench:sign-in -- [options]

  --quick   debug builds, and everything a few times, to see that it works; its figures say nothing
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

/** How often each thing is done in the browser. */
const ROUNDS = options.quick ? 2 : 21;

/** Requests in one measurement of the server. */
const REQUESTS = options.quick ? 50 : 2000;

/** The program that checks tokens. */
const TOKENS = ['bench', '--locked', '--workspace', '--bench', 'tokens', '--profile', options.quick ? 'dev' : 'bench'];

const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
const running = [];
let browser = null;
try {
  requireRust('npm run bench:sign-in');
  const executablePath = await requireBrowser();
  await buildClient();
  const program = process.env['WAYPOST_BINARY'] ?? (await buildServer(options.quick ? 'debug' : 'release'));
  await runOrFail('Building the check of tokens', 'cargo', [...TOKENS, '--no-run']);
  const on = describe();
  const begun = Date.now();
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

  const { rows, recorded } = await people(origin, `http://localhost:${providerPort}`);
  const parts = [
    table([['what a person waits for', 'median ms', 'slowest ms', 'requests to the provider'], ...rows]),
    table([
      ['on one core of the server', 'µs', 'per second', 'µs until the answer'],
      ...(await checks()),
      ...(await requests(server, recorded)),
    ]),
  ];
  const minutes = ((Date.now() - begun) / 60_000).toFixed(1);
  const command = ['npm run bench:sign-in', ...(options.quick ? ['-- --quick'] : [])].join(' ');
  const text = [`\`${command}\` on ${on}, in ${minutes} minutes.`, ...parts].join('\n\n');
  console.log(`\n${text}\n`);
  if (options.save) save(PAGE, SAVE, text);
} catch (error) {
  process.exitCode = 1;
  await end();
  exitWithError(error);
}
await end();

async function end() {
  await browser?.close();
  for (const service of running.toReversed()) await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Signs in and renews as a person does. Answers with the rows of the table, and with two requests that pages made. */
async function people(origin, provider) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const recorded = {};
  let asked = 0;
  context.on('request', request => {
    if (request.url().startsWith(provider)) asked += 1;
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
      asked = 0;
      times.push(await work(prepared));
      counts.push(asked);
    }
    const shown =
      Math.min(...counts) === Math.max(...counts) ? counts[0] : `${Math.min(...counts)} to ${Math.max(...counts)}`;
    rows.push([name, whole(median(times)), whole(Math.max(...times)), String(shown)]);
  };
  const session = where => where.getByRole('button', { name: /^Account menu of/ });
  const choices = {
    tab: page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }),
    window: page.getByRole('button', { name: /in a new window$/ }),
  };
  // Without a session here; the provider's is its own.
  const forget = async () => {
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
  const forgetEverywhere = async () => {
    await context.clearCookies();
    await forget();
  };

  await measure('from click to signed in, in this tab, with a password that types itself', forgetEverywhere, () =>
    timed(async () => {
      await choices.tab.click();
      await enterPassword();
      await session(page).waitFor();
    }),
  );
  for (const [way, choice] of Object.entries(choices)) {
    await measure(`from click to signed in, in a ${way}, known to the provider`, forget, () =>
      timed(async () => {
        await choice.click();
        await session(page).waitFor();
      }),
    );
  }
  await measure(
    'a new tab, until it has a session of its own',
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
  for (const [way, label] of [
    ['by refresh token', 'Renew session with refresh token'],
    ['in a hidden frame', 'Renew session in hidden frame'],
  ]) {
    await measure(
      `renewal ${way}`,
      async () => {
        // That of the round before has to be gone first: a press on the button would close it.
        await page.getByRole('menu').waitFor({ state: 'detached' });
        await session(page).click();
        return page.getByRole('menuitem', { name: label });
      },
      item => item.evaluate(renewed),
    );
  }
  await context.close();
  return { rows, recorded };
}

/** Runs in the page: from the click until there are new tokens. */
async function renewed(item) {
  const tokens = () => Object.entries({ ...sessionStorage }).find(([key]) => key.startsWith('waypost.user.'))?.[1];
  const before = tokens();
  const channel = new MessageChannel();
  const begun = performance.now();
  item.click();
  while (tokens() === before) {
    await new Promise(resolve => {
      channel.port1.addEventListener('message', resolve, { once: true });
      channel.port1.start();
      channel.port2.postMessage(null);
    });
  }
  return performance.now() - begun;
}

/** Keeps the tables in the page that explains them. */
/** The check of a token alone, as benches/tokens.rs tells it: rows of a name, the µs and how many a second. */
async function checks() {
  const { code, output } = await measured('cargo', [...TOKENS, '--quiet']);
  const rows = [...output.matchAll(/^\| ([^|]+) \| ([\d.]+) \| (\d+) \|$/gm)];
  if (code !== 0 || rows.length === 0) throw new UserError(`Measuring the check of tokens failed:\n${output}`);
  return rows.map(([, name, micros, rate]) => [name, short(Number(micros)), whole(Number(rate)), '']);
}

/** Sends what pages sent again and again, over one connection. */
async function requests(server, recorded) {
  const rows = [];
  for (const [kind, request] of Object.entries(recorded).toSorted()) {
    const { url, method, headers, body } = request;
    const kept = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !/^(?:host|connection|content-length|accept-encoding)$/.test(name)),
    );
    const send = async () => {
      const answer = await fetch(url, { method, headers: kept, body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
    };
    // Queries that anybody may ask go by GET.
    const operation = body === null ? new URL(url).searchParams.get('operationName') : JSON.parse(body).operationName;
    const name = `the whole request, ${kind}: ${operation}`;
    for (let warm = 0; warm < REQUESTS / 10; warm += 1) await send();
    const times = [];
    const before = processorTime(server.child.pid);
    for (let round = 0; round < REQUESTS; round += 1) times.push(await timed(send));
    const used = processorTime(server.child.pid);
    const micros = used === null ? null : ((used - before) * 1e6) / REQUESTS;
    const cost = micros === null ? ['only told by Linux', ''] : [whole(micros), whole(1e6 / micros)];
    rows.push([name, ...cost, whole(median(times) * 1000)]);
  }
  return rows;
}

/** Seconds of processor that a process has used: proc(5), fields 14 and 15, in ticks of 10 ms. */
function processorTime(pid) {
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
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
