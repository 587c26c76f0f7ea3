// Compares bytes, processor time, layout shift and memory of a tour with Waypost's embed, intro.js, driver.js and
// shepherd.js. The first run installs the other libraries into target/.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { formatInteger, formatNumber, median, table } from '../../server/traitql/bench/run/tables.mjs';
import { writeTables } from './benchmark-page.mjs';
import { findTestBrowser } from './browser.mjs';
import { buildClient } from './build.mjs';
import { exitWithError, ROOT, runOrFail } from './processes.mjs';

const PAGE = 'client/embed/BENCHMARKS.md';
const SAVE_COMMAND = 'npm run bench:embed -- --save';

const HELP = `npm run bench:embed -- [options]

  --quick   few rounds and runs, to check that it works; the figures are meaningless
  --save    writes the table to ${PAGE}`;

const PACKAGES = ['driver.js@1.8.0', 'shepherd.js@15.3.0'];
const FOLDER = join(ROOT, 'target/bench-embed');
const EMBED = join(ROOT, 'client/dist/embed');

const STEPS = 5;
/** Elements of the page, so that a search of the whole page has a cost. */
const ELEMENTS = 2000;
/** Of the page that is loaded, because the layout of a large one varies by more than the scripts take. */
const FEW_ELEMENTS = 50;
const IDLE_S = 5;

/** Of all pages, because the first script of a page costs more than any other. */
const PAGE_SCRIPT = { name: 'page.js', code: 'document.querySelector("main").dataset.ready = "true";' };

const targets = Array.from({ length: STEPS }, (_, index) => `#target-${index}`);
const TITLE = 'Find anything';
const TEXT = 'Search for products, orders and customers.';

/**
 * `entry` imports what a page needs, `create` returns an object with `start`, `next` and `stop`; both without
 * animations.
 */
const LIBRARIES = {
  'intro.js': {
    entry: `import introJs from 'intro.js'; import 'intro.js/introjs.css'; window.library = introJs;`,
    create: `const tour = library.tour().setOptions({ steps: targets.map(element => ({ element, title, intro: text })) });
      return { start: () => tour.start(), next: () => tour.nextStep(), stop: () => tour.exit(true) };`,
  },
  'driver.js': {
    entry: `import { driver } from 'driver.js'; import 'driver.js/dist/driver.css'; window.library = driver;`,
    create: `const tour = library({ animate: false, steps: targets.map(element => ({ element, popover: { title, description: text } })) });
      return { start: () => tour.drive(), next: () => tour.moveNext(), stop: () => tour.destroy() };`,
  },
  'shepherd.js': {
    entry: `import Shepherd from 'shepherd.js'; import 'shepherd.js/dist/css/shepherd.css'; window.library = Shepherd;`,
    create: `const tour = new library.Tour({ useModalOverlay: true });
      for (const element of targets) tour.addStep({ title, text, attachTo: { element, on: 'bottom' }, buttons: [{ text: 'Next', action: tour.next }] });
      return { start: () => tour.start(), next: () => tour.next(), stop: () => tour.complete() };`,
  },
};

const EMBED_CREATE = `return {
  start: () => new Promise(resolve => {
    const seen = ({ kind }) => { if (kind === 'STEP_SEEN') { waypost.off(seen); resolve(); } };
    waypost.on(seen);
    waypost.start('tour');
  }),
  next: () => root.querySelector('.primary').click(),
  stop: () => waypost.stop(),
};`;

try {
  const flag = { type: 'boolean', default: false };
  const { values: options } = parseArgs({ options: { quick: flag, save: flag, help: flag } });
  if (options.help) console.log(HELP);
  else await bench(options);
} catch (error) {
  exitWithError(error);
}

async function bench({ quick, save }) {
  const [loads, rounds, runs] = quick ? [2, 2, 50] : [25, 5, 1000];
  await buildClient();
  const { empty, ...libraries } = await load();
  const machine = describeMachine();
  const server = await serve({ empty, ...libraries });
  const rows = [];
  try {
    const names = Object.keys(libraries);
    console.log('Page loads …');
    const loading = await measureRounds(names, loads, name => measureLoad(`${server.origin}/small/${name}`));
    console.log('Steps …');
    const steps = await measureRounds(names, rounds, name => measureTour(`${server.origin}/${name}`, name === 'empty'));
    for (const [name, { files }] of Object.entries(libraries)) {
      console.log(`Memory of ${name} …`);
      const memory = await measureMemory(server.origin, name, runs);
      const bytes = compress => formatInteger(files.reduce((sum, { code }) => sum + compress(code).length, 0));
      rows.push([
        name,
        bytes(code => gzipSync(code, { level: 9 })),
        bytes(brotliCompressSync),
        formatNumber(loading[name].load),
        formatNumber(steps[name].first),
        formatNumber(steps[name].idle),
        formatNumber(steps[name].shown),
        steps[name].shift.toFixed(4),
        formatInteger(memory.bytes / 1000),
        formatInteger(memory.nodes),
      ]);
    }
  } finally {
    await server.stop();
  }
  const times = ['load ms', 'first step ms', 'idle ms/s', 'shown ms/s'];
  const tables = table([['', 'gzip bytes', 'brotli bytes', ...times, 'layout shift', 'kB', 'nodes'], ...rows]);
  const command = ['npm run bench:embed', ...(quick ? ['-- --quick'] : [])].join(' ');
  const text = `\`${command}\` on ${machine}: medians of the processor time of the main thread, without that of the same page without tours (${loads} loads, otherwise ${rounds} rounds), and memory after ${formatInteger(runs)} runs.\n\n${tables}`;
  console.log(`\n${text}`);
  if (save) writeTables(PAGE, SAVE_COMMAND, text);
}

async function load() {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES];
    await runOrFail('Installing the other libraries', 'npm', args);
  }
  const { loader, player } = JSON.parse(readFileSync(join(EMBED, 'manifest.json'), 'utf8'));
  const files = [loader, player].map(({ file }) => ({ name: file, code: readFileSync(join(EMBED, file), 'utf8') }));
  const subjects = { empty: { files: [] }, Waypost: { files, create: EMBED_CREATE } };
  for (const [name, { entry, create }] of Object.entries(LIBRARIES))
    subjects[name] = { files: await bundle(name, entry), create };
  return subjects;
}

async function bundle(name, source) {
  const entry = join(FOLDER, `${name}-entry.js`);
  writeFileSync(entry, source);
  const output = await build({
    root: FOLDER,
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry, formats: ['iife'], name: 'bundle', fileName: () => `${name}.js`, cssFileName: name },
    },
  });
  return [output]
    .flat()
    .flatMap(each => each.output)
    .map(each => ({ name: each.fileName, code: String(each.code ?? each.source) }));
}

async function serve(subjects) {
  const all = [PAGE_SCRIPT, ...Object.values(subjects).flatMap(each => each.files)];
  const files = new Map(all.map(({ name, code }) => [name, code]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const name = path.split('/').at(-1);
    const subject = subjects[name];
    request.resume();
    if (subject) {
      const count = path.startsWith('/small/') ? FEW_ELEMENTS : ELEMENTS;
      return void response.setHeader('content-type', 'text/html').end(pageOf(name, subject, count));
    }
    if (files.has(name)) {
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      return void response.setHeader('content-type', type).end(files.get(name));
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(apiResponse(path)));
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const stop = () => {
    server.closeAllConnections();
    return new Promise(resolve => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}

function apiResponse(path) {
  if (path === '/t/1.json')
    return {
      title: 'Tour',
      theme: {
        overlayOpacity: 0.7,
        stagePadding: 10,
        stageRadius: 5,
        popoverOffset: 10,
        animationMs: 0,
        overlayColor: '#000000',
        accentColor: '#2f5bea',
        popoverWidth: 320,
      },
      steps: targets.map((value, index) => ({
        key: `step-${index}`,
        kind: 'SPOTLIGHT',
        title: TITLE,
        body: TEXT,
        target: { by: 'SELECTOR', value },
        side: 'AUTO',
        nextLabel: null,
        previousLabel: null,
        doneLabel: null,
        missingTarget: 'SKIP_STEP',
        waitMs: 8000,
        page: null,
        advance: { on: 'BUTTON', page: null, selector: null, event: null, delayMs: 0 },
        branches: [],
        blockPage: false,
        closeOnOutsideClick: false,
        translations: [],
      })),
      locales: ['en'],
    };
  const tour = {
    tourId: 't',
    releaseId: 'r',
    slug: 'tour',
    bundle: '/t/1.json',
    start: { trigger: 'MANUAL', event: null, page: null, when: null, delayMs: 0, ignoreCooldown: false },
    branches: [],
    resume: null,
  };
  if (path === '/e/boot') return { visitorId: 'v', serverTime: new Date().toISOString(), goals: [], tours: [tour] };
  return { accepted: 1, rejected: [] };
}

function pageOf(name, { files, create }, count) {
  const distance = count / STEPS;
  const elements = Array.from({ length: count }, (_, index) => {
    const target = index % distance === 5 ? ` id="target-${Math.floor(index / distance)}"` : '';
    return `<button${target}>Button ${index}</button>`;
  });
  const tags =
    name === 'Waypost'
      ? `<script async src="/${files[0].name}" data-key="wp_pub_bench"></script>`
      : files
          .map(file =>
            file.name.endsWith('.css')
              ? `<link rel="stylesheet" href="/${file.name}">`
              : `<script src="/${file.name}"></script>`,
          )
          .join('');
  return `<!doctype html><html lang="en"><title>Benchmark</title>
<script>
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) { return (window.root = attach.call(this, init)); };
  window.shift = 0;
  new PerformanceObserver(list => { for (const { value } of list.getEntries()) window.shift += value; }).observe({ type: 'layout-shift', buffered: true });
  const [targets, title, text] = ${JSON.stringify([targets, TITLE, TEXT])};
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
  function create() { ${create ?? 'return { start() {}, next() {}, stop() {} };'} }
  async function run() {
    const tour = create();
    await tour.start();
    await frame();
    for (let step = 1; step < ${STEPS}; step++) { await tour.next(); await frame(); }
    await tour.stop();
    await frame();
  }
</script>${tags}<main>${elements.join(' ')}</main><script src="/${PAGE_SCRIPT.name}"></script></html>`;
}

/**
 * Returns medians, by subject, of the differences from the empty page in the same round, because the speed of a machine
 * changes within minutes. Times are processor time of the main thread.
 */
async function measureRounds(names, rounds, measure) {
  const results = Object.fromEntries(names.map(name => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const empty = await measure('empty');
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const measured = await measure(name);
      const difference = ([key, value]) => [key, value - (empty[key] ?? 0)];
      results[name].push(Object.fromEntries(Object.entries(measured).map(difference)));
    }
  }
  const medians = all => Object.fromEntries(Object.keys(all[0]).map(key => [key, median(all.map(each => each[key]))]));
  return Object.fromEntries(names.map(name => [name, medians(results[name])]));
}

async function measureLoad(url) {
  const { busy, close } = await open(url);
  const load = await busy();
  await close();
  return { load };
}

/** The empty page has no steps. */
async function measureTour(url, isEmpty) {
  const { evaluate, busy, close } = await open(url);
  const idle = await busyPerSecond(busy);
  if (isEmpty) {
    await close();
    return { idle, shown: idle };
  }
  const before = await busy();
  await evaluate(`(async () => { window.tour = create(); await tour.start(); await frame(); await frame(); })()`);
  const first = (await busy()) - before;
  const shown = await busyPerSecond(busy);
  await evaluate(`(async () => { await tour.stop(); await frame(); await run(); })()`);
  const shift = await evaluate('window.shift');
  await close();
  return { first, idle, shown, shift };
}

async function busyPerSecond(busy) {
  await setTimeout(500);
  const before = await busy();
  await setTimeout(IDLE_S * 1000);
  return ((await busy()) - before) / IDLE_S;
}

async function measureMemory(origin, name, runs) {
  const args = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];
  const { send, evaluate, metrics, close } = await open(`${origin}/${name}`, args);
  const play = count => evaluate(`(async () => { for (let run_ = 0; run_ < ${count}; run_++) await run(); })()`);
  const collect = async () => {
    await send('HeapProfiler.collectGarbage');
    return metrics();
  };
  await play(10);
  const before = await collect();
  await play(runs - 10);
  const after = await collect();
  await close();
  return { bytes: after.JSHeapUsedSize - before.JSHeapUsedSize, nodes: after.Nodes - before.Nodes };
}

/**
 * Opens a page without Playwright's instrumentation, which takes more time than the script of the embed, and waits a
 * second until it is loaded.
 */
async function open(url, args = []) {
  const browser = await chromium.launch({ executablePath: findTestBrowser(), args: ['--no-sandbox', ...args] });
  const session = await browser.newBrowserCDPSession();
  const context = await session.send('Target.createBrowserContext');
  const page = { url: 'about:blank', width: 1280, height: 860, ...context };
  const { targetId } = await session.send('Target.createTarget', page);
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const pending = [];
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message);
    pending[id]?.(result);
  });
  const send = (method, params = {}) =>
    new Promise(resolve => {
      const message = JSON.stringify({ id: pending.push(resolve) - 1, method, params });
      void session.send('Target.sendMessageToTarget', { sessionId, message });
    });
  const evaluate = async expression => {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await send('Runtime.evaluate', options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const metrics = async () => {
    const { metrics: all } = await send('Performance.getMetrics');
    return Object.fromEntries(all.map(each => [each.name, each.value]));
  };
  await send('Performance.enable', { timeDomain: 'threadTicks' });
  await send('Page.navigate', { url });
  await setTimeout(1000);
  const busy = async () => (await metrics()).TaskDuration * 1000;
  return { send, evaluate, metrics, busy, close: () => browser.close() };
}
