// The work of `npm run bench:lighthouse`: the list of tours of somebody signed in, as Lighthouse sees it on a desk and on a
// phone, against the server with its own compression, caching and headers. Fails below the goals.
//
// Lighthouse brings 200 packages, so it is no dependency of the project: it is installed into target/ the first time.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe } from '../../server/bench/run/machine.mjs';
import { median, table } from '../../server/bench/run/tables.mjs';
import { requireBrowser } from './browser.mjs';
import { buildClient, buildServer } from './build.mjs';
import { startProvider, startWaypost } from './development.mjs';
import { exitWithError, freePort, ROOT, runOrFail } from './processes.mjs';
import { requireRust } from './requirements.mjs';

const VERSION = '13.5.0';

/** The median of so many counts. */
const ROUNDS = 3;

/** The least that is good enough, of 100, by category. */
const GOALS = {
  desk: { performance: 95, accessibility: 100, 'best-practices': 100 },
  phone: { performance: 90, accessibility: 100, 'best-practices': 100 },
};

const tools = join(ROOT, 'target/lighthouse');
const folder = mkdtempSync(join(tmpdir(), 'waypost-lighthouse-'));
const running = [];
let browser = null;
try {
  const executablePath = await requireBrowser();
  const { lighthouse, desktop, puppeteer } = await load();
  await buildClient();
  const named = process.env['WAYPOST_BINARY'];
  if (!named) requireRust('npm run bench:lighthouse');
  const program = named ?? (await buildServer('release'));
  const [port, providerPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  running.push(await startProvider({ port: providerPort, origins: [origin], folder }));
  running.push(
    await startWaypost({ program, port, providerPort, data: join(folder, 'data'), extra: { WAYPOST_LOG: 'error' } }),
  );
  browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--lang=en'] });
  const page = await browser.newPage();
  const url = `${origin}/w/acme/tours`;
  await signIn(page, url);

  const rows = [];
  const advice = [];
  for (const [where, goals] of Object.entries(GOALS)) {
    const results = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const options = { onlyCategories: Object.keys(goals), disableStorageReset: true, logLevel: 'error' };
      results.push((await lighthouse(url, options, where === 'desk' ? desktop : undefined, page)).lhr);
    }
    const scores = Object.keys(goals).map(name =>
      Math.round(median(results.map(each => 100 * each.categories[name].score))),
    );
    const missed = Object.values(goals).some((goal, index) => scores[index] < goal);
    if (missed) process.exitCode = 1;
    const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'];
    rows.push([
      where,
      ...scores.map(String),
      ...times.map(id => String(Math.round(median(results.map(each => each.audits[id].numericValue))))),
      missed ? `below ${Object.values(goals).join(' / ')}` : 'as it should be',
    ]);
    advice.push(...adviceOf(results[0]).map(each => `${where}: ${each}`));
  }
  const head = [
    '/w/acme/tours',
    'performance',
    'accessibility',
    'best practices',
    'first paint ms',
    'largest paint ms',
    'blocked ms',
    '',
  ];
  console.log(
    `\n${describe()}\nLighthouse ${VERSION}, the median of ${ROUNDS}\n\n${table([head, ...rows], [head.length - 1])}\n`,
  );
  for (const line of advice) console.log(line);
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

/** Lighthouse, and the puppeteer that it drives browsers with. */
async function load() {
  const modules = join(tools, 'node_modules');
  if (!existsSync(join(modules, 'lighthouse'))) {
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefix', tools, '--ignore-scripts', '--no-audit', '--no-fund', `lighthouse@${VERSION}`];
    await runOrFail('Installing Lighthouse', 'npm', args);
  }
  const from = path => import(pathToFileURL(join(modules, path)).href);
  // Its own version, which is not fixed here, says where in the package it begins.
  const puppeteer = createRequire(join(tools, 'package.json')).resolve('puppeteer-core');
  return {
    lighthouse: (await from('lighthouse/core/index.js')).default,
    desktop: (await from('lighthouse/core/config/desktop-config.js')).default,
    puppeteer: (await import(pathToFileURL(puppeteer).href)).default,
  };
}

/** Signs in in this tab, which keeps the session, and closes Waypost's own tour for good. */
async function signIn(page, url) {
  await page.goto(url);
  await page.locator('main button').click();
  await page.locator('::-p-aria([name="Name"][role="textbox"])').fill('admin');
  await page.locator('input[type="password"]').fill('admin');
  await page.locator('::-p-aria([name="Sign in"][role="button"])').click();
  const told = page.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_DISMISSED'));
  await page.locator('.wp-popover .introjs-skipbutton').click();
  await told;
}

/** What costs points, in Lighthouse's words. */
function adviceOf({ categories, audits }) {
  const counted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  return counted
    .map(({ id }) => audits[id])
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ title, displayValue }) => [title, displayValue].filter(Boolean).join(': '));
}
